import { authorityPem, base64, signingRequestPem } from '../../../../fixtures/certificates.ts';
import { keptRule, validityRule } from '../../field-rules.ts';
import { publishedRule } from '../../published-rule.ts';

const kind = 'signingRequests';
const request = (value: unknown) => ({ spec: { request: value } });
const labelled = (label: string) => request(base64(signingRequestPem.replaceAll('CERTIFICATE REQUEST', label)));

export default [
  validityRule({
    id: 'csr.spec.request.required',
    kind,
    accepted: { given: {} },
    refused: { 'left out': request(undefined), empty: request('') },
  }),

  validityRule({
    id: 'csr.spec.request.pem',
    kind,
    accepted: { 'a signing request in PEM': request(base64(signingRequestPem)) },
    refused: {
      'no PEM': request(base64('a signing request')),
      'a certificate': request(base64(authorityPem)),
      'another label': labelled('CERTIFICATE'),
      'no request inside': request(
        base64('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'),
      ),
    },
  }),

  keptRule({ id: 'csr.spec.request.base64', kind, over: request(base64(signingRequestPem)), path: 'spec.request' }),

  publishedRule({
    id: 'csr.spec.request.atomic',
    groupVersion: 'certificates.k8s.io/v1',
    shape: 'io.k8s.api.certificates.v1.CertificateSigningRequestSpec',
    path: 'properties.request.x-kubernetes-list-type',
    value: 'atomic',
  }),
];
