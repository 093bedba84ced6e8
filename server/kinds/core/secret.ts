import { type FieldError, invalidValue, required, tooLong } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { immutable } from '../field-rules.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { dataKeys, decodedLength, frozen, maxDataBytes } from './config-map.ts';

export interface Secret extends KubeObject {
  type?: string;
  /** base64 */
  data?: Record<string, string>;
  /** Only written: each text goes into `data`. */
  stringData?: Record<string, string>;
  immutable?: boolean;
}

const at = FieldPath.of('data');

const hasKey = ({ data }: Secret, key: string) => Object.hasOwn(data ?? {}, key);

const needsKeys =
  (...keys: string[]) =>
  (secret: Secret): FieldError[] =>
    keys.filter((key) => !hasKey(secret, key)).map((key) => required(at.key(key)));

const needsJson = (key: string) => (secret: Secret) => {
  if (!hasKey(secret, key)) return [required(at.key(key))];
  try {
    const value: unknown = JSON.parse(Buffer.from(secret.data?.[key] ?? '', 'base64').toString());
    if (typeof value === 'object' && !Array.isArray(value)) return [];
  } catch {
    // The text may be a password: the error tells nothing of it.
  }
  return [invalidValue(at.key(key), '<secret contents redacted>', 'must be a JSON object')];
};

const accountAnnotation = 'kubernetes.io/service-account.name';

/** What secrets of the known types must hold. Others are free. */
const typeRules: ReadonlyMap<string, (secret: Secret) => FieldError[]> = new Map([
  [
    'kubernetes.io/service-account-token',
    ({ metadata }) =>
      metadata.annotations?.[accountAnnotation]
        ? []
        : [required(FieldPath.of('metadata', 'annotations').key(accountAnnotation))],
  ],
  ['kubernetes.io/dockercfg', needsJson('.dockercfg')],
  ['kubernetes.io/dockerconfigjson', needsJson('.dockerconfigjson')],
  [
    'kubernetes.io/basic-auth',
    (secret) =>
      hasKey(secret, 'username') || hasKey(secret, 'password') ? [] : needsKeys('username', 'password')(secret),
  ],
  // Of these alone an empty key is none.
  ['kubernetes.io/ssh-auth', (secret) => (secret.data?.['ssh-privatekey'] ? [] : [required(at.key('ssh-privatekey'))])],
  ['kubernetes.io/tls', needsKeys('tls.crt', 'tls.key')],
]);

function validate(secret: Secret): FieldError[] {
  const size = Object.values(secret.data ?? {}).reduce((sum, value) => sum + decodedLength(value), 0);
  return [
    ...dataKeys(secret.data, 'data'),
    ...(size > maxDataBytes ? [tooLong(at, maxDataBytes)] : []),
    ...(typeRules.get(secret.type ?? '')?.(secret) ?? []),
  ];
}

export const secret = defineKind<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  resource: 'secrets',
  emptyIsNone: ['stringData'],
  default(object) {
    object.type ||= 'Opaque';
    if (!object.stringData) return;
    const texts = Object.entries(object.stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    if (texts.length > 0) object.data = { ...object.data, ...Object.fromEntries(texts) };
    delete object.stringData;
  },
  validate,
  validateUpdate: (next, previous, context) => [
    ...immutable(next.type, previous.type, FieldPath.of('type')),
    ...frozen(next, previous, ['data'], context),
  ],
  selectable: { type: ({ type }) => type ?? '' },
  table: {
    columns: [nameColumn, column('Type'), column('Data'), ageColumn],
    cells: (object, now) => [
      object.metadata.name,
      object.type,
      Object.keys(object.data ?? {}).length,
      age(object, now),
    ],
  },
});
