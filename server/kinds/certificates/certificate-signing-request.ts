import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { pathSegmentName } from '../../base/names.ts';
import { readCertificateRequest } from '../../x509/certificate-request.ts';
import { eachOf } from '../field-rules.ts';
import { keepSpec, keepStatus } from '../status-subresource.ts';
import { defineKind, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, orNone, shortDuration } from '../table-cells.ts';
import { certificateProblem } from './issued-certificate.ts';
import {
  keepDecisions,
  nothingDecided,
  nothingTakenBack,
  type RequestCondition,
  stampConditions,
  validateConditions,
} from './request-conditions.ts';
import { validateSignerName } from './signer-name.ts';

interface SigningRequest extends KubeObject {
  spec?: {
    request?: string;
    signerName?: string;
    usages?: string[];
    expirationSeconds?: number;
    username?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
  };
  status?: { certificate?: string; conditions?: RequestCondition[] };
}

const minExpirationSeconds = 600;

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const specAt = FieldPath.of('spec');
const certificateAt = FieldPath.of('status', 'certificate');

/** Who asks is whoever sends the request, never what the request says. */
function fillFromUser(object: SigningRequest, { user }: WriteContext): void {
  const { username: _, uid: _uid, groups: _groups, extra: _extra, ...asked } = object.spec ?? {};
  const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  object.spec = {
    ...asked,
    ...(user.name && { username: user.name }),
    ...(user.uid && { uid: user.uid }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
  object.status = {};
}

function validateSpec({ spec = {} }: SigningRequest): FieldError[] {
  const { request = '', signerName = '', expirationSeconds } = spec;
  const outcome = readCertificateRequest(Buffer.from(request, 'base64'));
  return [
    ...('problem' in outcome ? [invalidValue(specAt.child('request'), request, outcome.problem)] : []),
    ...validateUsages(spec.usages ?? [], specAt.child('usages')),
    ...validateSignerName(signerName, specAt.child('signerName')),
    ...(expirationSeconds !== undefined && expirationSeconds < minExpirationSeconds
      ? [invalidValue(specAt.child('expirationSeconds'), expirationSeconds, `must be at least ${minExpirationSeconds}`)]
      : []),
  ];
}

function validateUsages(asked: readonly string[], at: FieldPath): FieldError[] {
  if (asked.length === 0) return [required(at, 'at least one usage must be given')];
  const seen = new Set<string>();
  return [
    ...eachOf(asked, at, (usage, here) => (usages.includes(usage) ? [] : [notSupported(here, usage, usages)])),
    ...eachOf(asked, at, (usage, here) => {
      const repeated = seen.has(usage) ? [duplicate(here, usage)] : [];
      seen.add(usage);
      return repeated;
    }),
  ];
}

/** What holds of every status, whichever way it was written. */
function validateStatus({ status = {} }: SigningRequest, previous: SigningRequest): FieldError[] {
  const problem = status.certificate ? certificateProblem(Buffer.from(status.certificate, 'base64')) : '';
  return [
    ...validateConditions(status.conditions),
    ...(problem ? [invalidValue(certificateAt, '<certificate data>', problem)] : []),
    ...nothingTakenBack(status.conditions, previous.status?.conditions),
  ];
}

const certificateStays = (next: SigningRequest, previous: SigningRequest): FieldError[] =>
  previous.status?.certificate && next.status?.certificate !== previous.status.certificate
    ? [forbiddenField(certificateAt, 'an issued certificate cannot be changed')]
    : [];

function keepCertificate(next: SigningRequest, previous: SigningRequest): void {
  next.status ??= {};
  if (previous.status?.certificate === undefined) delete next.status.certificate;
  else next.status.certificate = previous.status.certificate;
}

function conditionCell({ status = {} }: SigningRequest): string {
  const has = (type: string) => (status.conditions ?? []).some((condition) => condition.type === type);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`;
}

export const certificateSigningRequest = defineKind<SigningRequest>({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  resource: 'certificatesigningrequests',
  nameRule: pathSegmentName,
  unownedFields: ['spec', 'status'],
  prepareCreate: fillFromUser,
  prepareUpdate: (next, previous) => {
    keepSpec(next, previous);
    keepStatus(next, previous);
  },
  // The spec never changes afterwards.
  validateCreate: validateSpec,
  selectable: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  subresources: {
    approval: {
      hasNoTable: true,
      unownedFields: ['spec', 'status.certificate'],
      prepareUpdate: (next, previous, { clock }) => {
        keepSpec(next, previous);
        keepCertificate(next, previous);
        stampConditions(next.status?.conditions, previous.status?.conditions, clock.now());
      },
      validateUpdate: validateStatus,
    },
    status: {
      // Conditions come and go through writes that say so in full; applied ones are passed over.
      unownedFields: ['spec', 'status.conditions'],
      prepareUpdate: (next, previous, { clock }) => {
        keepSpec(next, previous);
        next.status ??= {};
        if (next.status.certificate === '') delete next.status.certificate;
        keepDecisions(next.status.conditions, previous.status?.conditions);
        stampConditions(next.status.conditions, previous.status?.conditions, clock.now());
      },
      validateUpdate: (next, previous) => [
        ...validateStatus(next, previous),
        ...nothingDecided(next.status?.conditions, previous.status?.conditions),
        ...certificateStays(next, previous),
      ],
    },
  },
  table: {
    columns: [
      nameColumn,
      ageColumn,
      column(
        'SignerName',
        `Requested signer for the request. It is a qualified name in the form: \`scope-hostname.io/name\`. If empty, it will be defaulted:
 1. If it's a kubelet client certificate, it is assigned
    "kubernetes.io/kube-apiserver-client-kubelet".
 2. If it's a kubelet serving certificate, it is assigned
    "kubernetes.io/kubelet-serving".
 3. Otherwise, it is assigned "kubernetes.io/legacy-unknown".
Distribution of trust for signers happens out of band. You can select on this field using \`spec.signerName\`.`,
      ),
      column('Requestor', 'Base64-encoded PKCS#10 CSR data'),
      column(
        'RequestedDuration',
        `expirationSeconds is the requested duration of validity of the issued certificate. The certificate signer may issue a certificate with a different validity duration so a client must check the delta between the notBefore and and notAfter fields in the issued certificate to determine the actual duration.

The v1.22+ in-tree implementations of the well-known Kubernetes signers will honor this field as long as the requested duration is not greater than the maximum duration they will honor per the --cluster-signing-duration CLI flag to the Kubernetes controller manager.

Certificate signers may not honor this field for various reasons:

  1. Old signer that is unaware of the field (such as the in-tree
     implementations prior to v1.22)
  2. Signer whose configured maximum is shorter than the requested duration
  3. Signer whose configured minimum is longer than the requested duration

The minimum valid value for expirationSeconds is 600, i.e. 10 minutes.`,
      ),
      column('Condition', 'Conditions applied to the request, such as approval or denial.'),
    ],
    cells: (object, now) => [
      object.metadata.name,
      age(object, now),
      orNone(object.spec?.signerName),
      object.spec?.username ?? '',
      object.spec?.expirationSeconds === undefined ? '<none>' : shortDuration(object.spec.expirationSeconds * 1000),
      conditionCell(object),
    ],
  },
});
