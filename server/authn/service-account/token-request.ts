import { type FieldError, invalidValue } from '../../base/field-error.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { badRequest, conflict, invalid, notFound } from '../../base/status-error.ts';
import { formatTime } from '../../base/time/clock.ts';
import { carryOut } from '../../base/turns/work.ts';
import { type Fields, fieldsOf, textOf } from '../../base/untyped.ts';
import type { Operation, OperationInput, WriteContext } from '../../kinds/strategy.ts';
import { trackUpdate } from '../../patch/apply/track-update.ts';
import { structureOfKind } from '../../schema/load.ts';
import type { Claims } from '../jwt.ts';
import type { SigningKey } from './keys.ts';
import { serviceAccountName } from './user.ts';

export interface TokenRequestOptions {
  readonly issuer: string;
  readonly signing: SigningKey;
  /** What a token is meant for when the request does not say. */
  readonly serverAudiences: readonly string[];
  /** Seconds that no token outlives; 0: no such limit. */
  readonly longestSeconds: number;
  /** Whether tokens that clients forget to renew live on for a year, with the time to warn after inside. */
  readonly extend: boolean;
}

const group = 'authentication.k8s.io';
const defaultSeconds = 3600;
const leastSeconds = 600;
const mostSeconds = 2 ** 32;
/** Clients that mount a token and can renew it ask for exactly this. */
const renewableSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

interface BoundReference {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly uid: string;
}

interface Spec {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundObjectRef?: BoundReference;
}

type FieldsV1 = NonNullable<ManagedFieldsEntry['fieldsV1']>;

function specOf(body: KubeObject | undefined, options: TokenRequestOptions): Spec {
  const { audiences, expirationSeconds, boundObjectRef } = fieldsOf(body?.spec);
  const ref = fieldsOf(boundObjectRef);
  return {
    audiences: Array.isArray(audiences) && audiences.length ? audiences.map(String) : options.serverAudiences,
    expirationSeconds:
      expirationSeconds === undefined || expirationSeconds === null ? defaultSeconds : Number(expirationSeconds),
    ...(boundObjectRef !== null &&
      boundObjectRef !== undefined && {
        boundObjectRef: {
          kind: textOf(ref.kind),
          apiVersion: textOf(ref.apiVersion),
          name: textOf(ref.name),
          uid: textOf(ref.uid),
        },
      }),
  };
}

function lifetimeErrors({ expirationSeconds }: Spec): FieldError[] {
  const field = 'spec.expirationSeconds';
  if (expirationSeconds < leastSeconds) {
    return [invalidValue(field, expirationSeconds, 'may not specify a duration less than 10 minutes')];
  }
  if (expirationSeconds > mostSeconds) {
    return [invalidValue(field, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')];
  }
  return [];
}

/** Name and namespace in metadata may be left out but not differ. */
function checkBody(body: KubeObject | undefined, namespace: string, name: string, spec: Spec): void {
  const subject = { group, resource: 'TokenRequest' };
  const { name: given, namespace: home } = body?.metadata ?? {};
  if (home && home !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (given && given !== name) {
    const error = invalidValue('metadata.name', given, 'must match the service account name if specified');
    throw invalid(subject, name, [error]);
  }
  const errors = lifetimeErrors(spec);
  if (errors.length) throw invalid(subject, '', errors);
}

const bindable: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets' };

/** The claim that binds the token to an object, which must be there and, a Pod, run as the account. */
async function boundClaim(ref: BoundReference, account: string, namespace: string, context: WriteContext) {
  const { kind, apiVersion, name, uid } = ref;
  const resource = Object.hasOwn(bindable, kind) && !apiVersion.includes('/') ? bindable[kind] : undefined;
  if (!resource) {
    const [apiGroup, version] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
    throw badRequest(`cannot bind token to object of type ${apiGroup}/${version}, Kind=${kind}`);
  }
  if (!name) throw badRequest('Name parameter required.');
  const object = await context.lookup.get('', resource, namespace, name);
  if (!object) throw notFound({ group: '', resource }, name);
  if (kind === 'Pod' && textOf(fieldsOf(object.spec).serviceAccountName) !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  if (uid && uid !== object.metadata.uid) {
    throw conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { [kind.toLowerCase()]: { name, uid: object.metadata.uid ?? '' } };
}

const forServer = ({ audiences }: Spec, { serverAudiences }: TokenRequestOptions) =>
  audiences.every((audience) => serverAudiences.includes(audience));

/** Claims of a token for the account, from `now` in seconds since the epoch. */
function claimsOf(account: KubeObject, spec: Spec, bound: Claims, now: number, options: TokenRequestOptions): Claims {
  const { name = '', namespace = '', uid = '' } = account.metadata;
  const renewable = options.extend && 'pod' in bound && spec.expirationSeconds === renewableSeconds;
  const extended = renewable && forServer(spec, options);
  const own = {
    namespace,
    ...bound,
    serviceaccount: { name, uid },
    ...(extended && { warnafter: now + renewableSeconds }),
  };
  return {
    aud: spec.audiences,
    exp: now + (extended ? extendedSeconds : spec.expirationSeconds),
    iat: now,
    iss: options.issuer,
    'kubernetes.io': own,
    nbf: now,
    sub: serviceAccountName(namespace, name),
  };
}

async function signed(claims: Claims, { key, id, algorithm }: SigningKey): Promise<string> {
  // Most servers never sign a token: the library is loaded for the first one.
  const { CompactSign } = await import('jose/jws/compact/sign');
  return new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: algorithm, kid: id }).sign(key);
}

function limited(spec: Spec, { longestSeconds }: TokenRequestOptions, context: WriteContext): Spec {
  if (!longestSeconds || spec.expirationSeconds <= longestSeconds) return spec;
  context.warn(`requested expiration of ${spec.expirationSeconds} seconds shortened to ${longestSeconds} seconds`);
  return { ...spec, expirationSeconds: longestSeconds };
}

/** Which fields the caller set, as answers tell it although nothing is stored. */
async function entriesOf(
  body: KubeObject | undefined,
  { manager, clock }: WriteContext,
): Promise<ManagedFieldsEntry[]> {
  const structure = structureOfKind(group, 'v1', 'TokenRequest');
  if (manager === undefined || !structure) return [];
  const apiVersion = `${group}/v1`;
  const spec = { expirationSeconds: defaultSeconds, ...fieldsOf(body?.spec) };
  const next = { kind: 'TokenRequest', apiVersion, metadata: body?.metadata ?? {}, spec };
  const entries = await carryOut(
    trackUpdate({ structure, manager, apiVersion, subresource: 'token', now: clock.now(), next }),
  );
  return entries.map(({ fieldsV1, ...entry }) => ({
    ...entry,
    ...(fieldsV1 && { fieldsV1: withoutReference(fieldsV1) }),
  }));
}

/** An empty TokenRequest shows its reference too, as null: so a caller owns what is in it but not the reference as such. */
function withoutReference(fieldsV1: FieldsV1): FieldsV1 {
  const next = structuredClone(fieldsV1);
  const reference = fieldsOf(fieldsOf(next['f:spec'])['f:boundObjectRef']);
  Reflect.deleteProperty(reference, '.');
  return next;
}

/** TokenRequest, the `token` operation of a service account: answers a fresh signed token and stores nothing. */
export const tokenRequest =
  (options: TokenRequestOptions): Operation =>
  async ({ body, namespace, name, context }: OperationInput) => {
    const account = await context.lookup.get('', 'serviceaccounts', namespace, name);
    if (!account) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
    const asked = specOf(body, options);
    checkBody(body, namespace, name, asked);
    const spec = limited(asked, options, context);
    const bound = spec.boundObjectRef ? await boundClaim(spec.boundObjectRef, name, namespace, context) : {};
    const now = Math.floor(context.clock.now() / 1000);
    const token = await signed(claimsOf(account, spec, bound, now, options), options.signing);
    const managedFields = await entriesOf(body, context);
    const owned = managedFields.length ? { managedFields } : {};
    const metadata = { ...body?.metadata, name, namespace, creationTimestamp: formatTime(now * 1000), ...owned };
    const status = { token, expirationTimestamp: formatTime((now + spec.expirationSeconds) * 1000) };
    const object = { kind: 'TokenRequest', apiVersion: `${group}/v1`, metadata, spec: shownSpec(spec), status };
    return { code: 201, object };
  };

/** The spec as used; empty fields of the reference are left out. */
function shownSpec({ boundObjectRef, ...spec }: Spec): Fields {
  if (!boundObjectRef) return spec;
  const kept = Object.entries(boundObjectRef).filter(([, value]) => value);
  return { ...spec, boundObjectRef: Object.fromEntries(kept) };
}
