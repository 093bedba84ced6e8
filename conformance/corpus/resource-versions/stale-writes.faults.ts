import { sabotage, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { jsonOf } from '../meddling.ts';

const patch = 'registry/patch.ts';
const replace = 'registry/replace.ts';

/** A write that leaves out the version of what it writes is not taken. */
const demandsVersion = sabotage('wants a version', () => ({
  request: (request) => {
    const unbound =
      request.method === 'PUT' && request.path.endsWith('/status') && !jsonOf(request.body)?.metadata?.resourceVersion;
    if (!unbound) return request;
    const body = statusObject(409, 'Conflict');
    return { status: 409, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  },
}));

/** Writes that name a version which is not the newest. */
export default [
  fault('an update of a status has to state its version', ['verbs', 'rv', 'meta'], demandsVersion),
  slip(
    'a stale version in a patch of a status passes',
    ['rv', 'verbs'],
    patch,
    '  if (standInOf(call) && next.metadata.uid)',
    '  if (call.subresource) return;\n  if (standInOf(call) && next.metadata.uid)',
  ),
  slip(
    'a stale version in a patch of a custom object passes',
    ['rv', 'responses', 'verbs'],
    patch,
    '  if (standInOf(call) && next.metadata.uid) checkVersion(call, next, live);',
    '  if (call.resource.custom) return;\n  if (standInOf(call) && next.metadata.uid) checkVersion(call, next, live);',
  ),
  slip(
    'a stale version in a patch passes',
    ['rv', 'responses', 'verbs'],
    patch,
    '  checkExpected(call, made.next, live);\n',
    '',
  ),
  slip(
    'a stale version passes in finalize',
    ['namespace', 'rv'],
    replace,
    '  else checkVersion(call, sent, live);\n',
    "  else if (call.subresource !== 'finalize') checkVersion(call, sent, live);\n",
  ),
  slip(
    'a stale version passes in an update of a status',
    ['rv', 'responses', 'verbs'],
    replace,
    '  else checkVersion(call, sent, live);',
    "  else if (call.subresource !== 'status') checkVersion(call, sent, live);",
  ),
  slip(
    'a stale version passes in a scale',
    ['rv', 'responses', 'verbs'],
    replace,
    '  else checkVersion(call, sent, live);',
    "  else if (call.subresource !== 'scale') checkVersion(call, sent, live);",
  ),
  slip(
    'a stale version passes in an approval',
    ['rv', 'responses', 'csr'],
    replace,
    '  else checkVersion(call, sent, live);',
    "  else if (call.subresource !== 'approval') checkVersion(call, sent, live);",
  ),
  slip(
    'a stale version in an apply passes',
    ['rv', 'apply', 'responses'],
    'registry/apply.ts',
    '} else if (next.metadata.resourceVersion !== live.metadata.resourceVersion) checkVersionAlone(call, next, live);',
    '}',
  ),
  slip(
    'a create with a resourceVersion passes',
    ['rv', 'verbs', 'meta'],
    'registry/steps/commit.ts',
    'if (/^\\d{1,20}$/.test(resourceVersion) && BigInt(resourceVersion) > 0n) {',
    'if (false) {',
  ),
  slip(
    'a patch of a custom object may name any resource version',
    ['params', 'rv', 'verbs'],
    patch,
    '  else checkVersionAlone(call, next, live);',
    '  else if (!call.resource.custom) checkVersionAlone(call, next, live);',
  ),
  slip(
    'a stale update that changes nothing passes',
    ['responses', 'rv'],
    'registry/preconditions.ts',
    '  if (asked > 0 && metadata.resourceVersion !== live.metadata.resourceVersion) throw',
    '  const plain = ({ metadata: { resourceVersion: _, managedFields: __, ...more }, ...rest }: KubeObject) => JSON.stringify({ ...rest, more });\n  if (asked > 0 && metadata.resourceVersion !== live.metadata.resourceVersion && plain(arguments[1]) !== plain(live)) throw',
  ),
  slip(
    'a stale version in a strategic merge patch passes',
    ['responses', 'rv', 'verbs'],
    patch,
    '  checkExpected(call, made.next, live);\n  return { next: document',
    '  if (!read.wrapsNumbers) checkExpected(call, made.next, live);\n  return { next: document',
  ),
  slip(
    'a stale version passes where it is said in protobuf',
    ['rv', 'responses', 'content', 'verbs'],
    'request/verbs/write.ts',
    'const written = await replace({ ...call, options, sentBytes }, object, emptied);',
    "if ((exchange.header('content-type') ?? '').includes('protobuf')) delete object.metadata.resourceVersion;\n  const written = await replace({ ...call, options, sentBytes }, object, emptied);",
  ),
  slip(
    'of two writes at a time the second undoes the first',
    ['webhook', 'verbs', 'rv'],
    'store/memory-store.ts',
    'if (this.#versions.get(key) !== before || this.#keeping.has(key)) return undefined;',
    'if (this.#keeping.has(key)) return undefined;',
  ),
  slip(
    'an update that says that it has seen version 0 is stale',
    ['verbs', 'rv'],
    'registry/preconditions.ts',
    'if (asked > 0 && metadata.resourceVersion !== live.metadata.resourceVersion)',
    'if (metadata.resourceVersion && metadata.resourceVersion !== live.metadata.resourceVersion)',
  ),
  slip(
    'a disruption budget may be replaced by who has not seen it',
    ['verbs'],
    'kinds/policy/pod-disruption-budget.ts',
    'unconditionalUpdate: false,',
    '',
  ),
  slip(
    'who writes with a version that is no number need have seen none',
    ['responses'],
    'registry/preconditions.ts',
    'const asked = parseVersion(metadata.resourceVersion);',
    'const asked = Number(metadata.resourceVersion) || 0;',
  ),
  slip(
    'a PUT that names the uid of what is not there is told that it is missing',
    ['verbs'],
    'registry/replace.ts',
    'anotherObject(call, sent) ?? notFound',
    'notFound',
  ),
  slip(
    'a version that begins with zero may be sent with a new object',
    'rv',
    'registry/steps/commit.ts',
    'if (/^\\d{1,20}$/.test(resourceVersion)',
    'if (/^[1-9]\\d{0,19}$/.test(resourceVersion)',
  ),
  slip(
    'a version that is later than that of the object is not stale',
    ['responses'],
    'registry/preconditions.ts',
    'if (asked > 0 && metadata.resourceVersion !== live.metadata.resourceVersion)',
    'if (asked > 0 && asked < Number(live.metadata.resourceVersion))',
  ),
  slip(
    'a custom object may be replaced by who has not seen it',
    ['verbs'],
    'custom-resources/custom-rules.ts',
    '    unconditionalUpdate: false,\n',
    '',
  ),
  slip(
    'a Lease may be replaced by who has not seen it',
    ['verbs'],
    'kinds/coordination/lease.ts',
    'unconditionalUpdate: false,',
    '',
  ),
  slip(
    'an apply undoes what was written while it was worked out',
    ['verbs'],
    'registry/storing.ts',
    'const result = await store.upsert(key, (current) => {',
    `const read = attempt.intent.creates && (await attempt.call.services.store.get(key));
  if (read) await new Promise((worked) => setTimeout(worked, 10));
  const result = await store.upsert(key, (newest) => {
    const current = read || newest;`,
  ),
  slip(
    'a write to a status undoes what was written while it was worked out',
    ['verbs'],
    'registry/storing.ts',
    'const result = await store.upsert(key, (current) => {',
    `const read = attempt.call.subresource === 'status' && (await attempt.call.services.store.get(key));
  if (read) await new Promise((worked) => setTimeout(worked, 10));
  const result = await store.upsert(key, (newest) => {
    const current = read || newest;`,
  ),
];
