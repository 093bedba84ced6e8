import { authorityPem, base64, missigned, signingRequestPem } from '../../../../fixtures/certificates.ts';
import { brokenRequests, variedRequests } from '../../../../fixtures/signing-requests.ts';
import { keptRule, validityRule } from '../../field-rules.ts';
import { publishedRule } from '../../published-rule.ts';

const kind = 'signingRequests';
const request = (value: unknown) => ({ spec: { request: value } });
const labelled = (label: string) => request(base64(signingRequestPem.replaceAll('CERTIFICATE REQUEST', label)));

export default [
  // `spec.request` has to be there.
  validityRule({
    id: 'csr.spec.request.required',
    kind,
    accepted: { given: {} },
    refused: { 'left out': request(undefined), empty: request('') },
  }),

  // `spec.request` is a signing request of x509 in one PEM block of that name, and nothing else is taken.
  validityRule({
    id: 'csr.spec.request.pem',
    kind,
    accepted: {
      'a signing request in PEM': request(base64(signingRequestPem)),
      'text before it': request(base64(`for us\n${signingRequestPem}`)),
      'lines that end as on Windows': request(base64(signingRequestPem.replaceAll('\n', '\r\n'))),
      ...Object.fromEntries(
        Object.entries(variedRequests).map(([key, pem]) => [`a key of ${key}`, request(base64(pem))]),
      ),
    },
    refused: {
      'no PEM': request(base64('a signing request')),
      'a certificate': request(base64(authorityPem)),
      'another label': labelled('CERTIFICATE'),
      'a label of old': labelled('NEW CERTIFICATE REQUEST'),
      'a label in small letters': labelled('certificate request'),
      'a request that its key did not sign': request(base64(missigned(signingRequestPem))),
      'a request behind a certificate': request(base64(authorityPem + signingRequestPem)),
      'no request inside': request(
        base64('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'),
      ),
      ...Object.fromEntries(
        Object.entries(brokenRequests).map(([what, pem]) => [`a request ${what}`, request(base64(pem))]),
      ),
    },
  }),

  // `spec.request` comes in base64, PEM though it is.
  keptRule({ id: 'csr.spec.request.base64', kind, over: request(base64(signingRequestPem)), path: 'spec.request' }),

  // `spec.request` is merged as a whole.
  publishedRule({
    id: 'csr.spec.request.atomic',
    groupVersion: 'certificates.k8s.io/v1',
    shape: 'io.k8s.api.certificates.v1.CertificateSigningRequestSpec',
    path: 'properties.request.x-kubernetes-list-type',
    value: 'atomic',
  }),
];
