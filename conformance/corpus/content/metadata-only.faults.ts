import { edited } from '../../sabotage/edited.ts';
import { ignoreQuery, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { wherever } from '../meddling.ts';

const listAnswer = 'request/answer/list-answer.ts';

const inPart = /^PartialObjectMetadata/;

const partsOf = (body: Json, change: (metadata: Json) => Json): Json => {
  if (!inPart.test(body?.kind ?? '')) return body;
  return body.items ? edited(body, ['items', '*', 'metadata'], change) : edited(body, ['metadata'], change);
};

const leftOut =
  (field: string) =>
  (body: Json): Json =>
    partsOf(body, ({ [field]: _, ...rest }: Json) => rest);

/** Answers that hold metadata alone: PartialObjectMetadata and its list. */
export default [
  fault(
    'what is written comes whole, though its metadata alone was asked for',
    ['content'],
    requestHeader('accept', 'application/json', {
      method: ['POST', 'PUT', 'PATCH'],
      header: { accept: /as=PartialObjectMetadata/ },
    }),
  ),
  fault('metadata alone has no version', ['content', 'rv'], wherever(leftOut('resourceVersion'))),
  fault('metadata alone does not tell what holds an object', ['content', 'deletion'], wherever(leftOut('finalizers'))),
  slip(
    'a list in metadata alone has no version',
    ['rv', 'lists', 'meta'],
    listAnswer,
    'metadata: listMetadata(false, page) };',
    "metadata: { ...listMetadata(false, page), resourceVersion: '' } };",
  ),
  slip(
    'a list of metadata alone has whole objects',
    ['content'],
    listAnswer,
    'shown: ({ value }) => partial(value, transform.version) });',
    'shown: ({ value }) => value });',
  ),
  slip(
    'a page of metadata alone has no token',
    ['content', 'lists'],
    listAnswer,
    'metadata: listMetadata(false, page) };',
    'metadata: { resourceVersion: String(page.revision) } };',
  ),
  slip(
    'what a write answers cannot be had as metadata alone',
    ['content'],
    'request/answer/answer.ts',
    "if (transform.as === 'PartialObjectMetadata') return encoded(",
    "if (transform.as === 'PartialObjectMetadata') return exchange.info.verb !== 'get' ? encoded(exchange, code, object) : encoded(",
  ),
  slip(
    'metadata alone does not tell finalizers and owners',
    ['content', 'meta'],
    'registry/table.ts',
    '  metadata: ownMetadata(object),',
    '  metadata: { ...ownMetadata(object), finalizers: undefined, ownerReferences: undefined },',
  ),
  slip(
    'metadata alone does not tell when something is going',
    ['content', 'meta'],
    'registry/table.ts',
    '  metadata: ownMetadata(object),',
    '  metadata: { ...ownMetadata(object), deletionTimestamp: undefined },',
  ),
  slip(
    'metadata alone does not tell generations',
    ['content', 'meta'],
    'registry/table.ts',
    '  metadata: ownMetadata(object),',
    '  metadata: { ...ownMetadata(object), generation: undefined },',
  ),
  slip(
    'a watch of metadata alone tells of a removal with the version before it',
    ['watch', 'content', 'rv', 'meta'],
    'request/answer/watch-stream.ts',
    '  return {\n    change: shared((type, stored) => {\n      const line = async () => jsonLine(type, await transform((await seen(stored)).value));',
    `  const last = new Map<string, unknown>();
  return {
    change: shared((type, stored) => {
      const line = async () => {
        const made = (await transform((await seen(stored)).value)) as KubeObject;
        const { uid = '', resourceVersion } = made.metadata;
        if (made.kind !== 'PartialObjectMetadata') return jsonLine(type, made);
        const known = last.get(uid);
        last.set(uid, resourceVersion);
        return jsonLine(type, type === 'DELETED' && known ? { ...made, metadata: { ...made.metadata, resourceVersion: known } } : made);
      };`,
  ),
  slip(
    'a watch of metadata alone does not begin with what is there',
    ['params', 'content'],
    'request/verbs/watch.ts',
    'const version = parseVersion(parameters.resourceVersion);',
    "const version = parseVersion(parameters.resourceVersion) || (exchange.representation.transform?.as === 'PartialObjectMetadata' ? await services.store.currentRevision() : 0);",
  ),
  slip(
    'a watch of metadata alone tells the mark of a deletion as the removal',
    ['content', 'watch'],
    'request/answer/watch-stream.ts',
    'const line = async () => jsonLine(type, await transform((await seen(stored)).value));',
    `const line = async () => {
        const made = (await transform((await seen(stored)).value)) as KubeObject;
        const marked = made.kind === 'PartialObjectMetadata' && made.metadata.deletionTimestamp;
        return jsonLine(marked ? 'DELETED' : type, made);
      };`,
  ),
  slip(
    'metadata alone has neither generation nor grace',
    ['meta', 'content'],
    'registry/table.ts',
    '  metadata: ownMetadata(object),',
    '  metadata: { ...ownMetadata(object), generation: undefined, deletionGracePeriodSeconds: undefined },',
  ),
  slip(
    'metadata alone of custom objects cannot be had in protobuf',
    ['content'],
    'request/dispatch.ts',
    '{ metadataTypes: everyMediaType }',
    '{ metadataTypes: customMediaTypes }',
  ),
  slip(
    'a watch of metadata in an older version is told in the version of the first such watch',
    ['content', 'watch'],
    'request/answer/watch-stream.ts',
    "${transform?.as ?? ''} ${transform?.version ?? ''} ${include}",
    "${transform?.as ?? ''} ${include}",
  ),
  fault(
    'metadata alone of custom objects is on offer in the stored version only',
    ['content'],
    requestHeader('accept', 'application/json', {
      ...{ method: 'GET', path: /^\/apis\/touchstone\.example\/v2\// },
      header: { accept: /as=PartialObjectMetadata/ },
    }),
  ),
  fault(
    'pages of metadata alone begin anew',
    ['params'],
    ignoreQuery('continue', { method: 'GET', header: { accept: /as=PartialObjectMetadata/ } }),
  ),
  slip(
    'a list of metadata alone of the older version is called one of the newer',
    ['content'],
    'request/answer/list-answer.ts',
    'const envelope = { kind, apiVersion: `meta.k8s.io/${transform.version}`, metadata: listMetadata(false, page) };',
    "const envelope = { kind, apiVersion: 'meta.k8s.io/v1', metadata: listMetadata(false, page) };",
  ),
];
