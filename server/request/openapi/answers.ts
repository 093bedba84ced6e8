import { createHash } from 'node:crypto';
import type { Resources } from '../../registry/resources.ts';
import { encodeJson } from '../../schema/encode.ts';
import type { Exchange } from '../exchange.ts';
import { takesSome } from '../negotiate.ts';
import type { Answer } from '../respond.ts';
import type { RequestServices } from '../services.ts';
import { perGeneration } from './per-generation.ts';
import { documentOfVersion2 } from './version-2.ts';
import { documentOfVersion3, groupPaths } from './version-3.ts';

interface Document {
  readonly bytes: Buffer;
  readonly hash: string;
}

const documentsOf = perGeneration(() => new Map<string, Document>());

const encodeAsJson = (document: object): Buffer => Buffer.from(encodeJson(document));

function documentAt(resources: Resources, id: string, make: () => object, encode = encodeAsJson): Document {
  const documents = documentsOf(resources);
  let document = documents.get(id);
  if (!document) {
    const bytes = encode(make());
    document = { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32).toUpperCase() };
    documents.set(id, document);
  }
  return document;
}

/** These documents are told as files, whose type is that of what they begin with. */
const text = 'text/plain; charset=utf-8';

const jsonOnly = { mediaTypes: ['application/json'] as const, transforms: [], ranges: true };
/** Those who take another form are told so without a word. */
const unfit: Answer = { code: 406, contentType: '', body: '' };
/** As clients ask for it, and as it is answered: `@` is no part of a media type. */
const protobufAsked = [
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
];
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** `/openapi/v2`, as JSON or in the protobuf form that older clients ask for. */
export async function openApiV2(exchange: Exchange, { resources, version }: RequestServices): Promise<Answer> {
  const make = () => documentOfVersion2(resources, version.gitVersion);
  if (protobufAsked.some((type) => exchange.header('accept')?.includes(type))) {
    const { encodeOpenApi } = await import('./protobuf.ts');
    const { bytes } = documentAt(resources, 'v2 protobuf', make, encodeOpenApi);
    return { code: 200, contentType: protobufType, body: bytes };
  }
  if (!takesSome(exchange.header('accept'), jsonOnly)) return unfit;
  const document = documentAt(resources, 'v2', make);
  return { code: 200, contentType: text, body: document.bytes, headers: { etag: `"${document.hash}"` } };
}

/** `/openapi/v3`: where the documents are. */
export function openApiV3Index(_exchange: Exchange, { resources, version }: RequestServices): Answer {
  const paths = groupPaths(resources).map((path) => {
    const { hash } = documentAt(resources, path, () => documentOfVersion3(resources, path, version.gitVersion));
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
  });
  return { code: 200, contentType: text, body: encodeJson({ paths: Object.fromEntries(paths) }) };
}

/** What clients ask for who would take the protobuf form, too, and read this one. */
const asked3 = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

/** `/openapi/v3/{group path}`. */
export function openApiV3(exchange: Exchange, groupPath: string, { resources, version }: RequestServices): Answer {
  if (!groupPaths(resources).includes(groupPath)) return { code: 404, contentType: '', body: '' };
  const accept = exchange.header('accept');
  if (accept !== asked3 && !takesSome(accept, jsonOnly)) return unfit;
  const { bytes, hash } = documentAt(resources, groupPath, () =>
    documentOfVersion3(resources, groupPath, version.gitVersion),
  );
  return { code: 200, contentType: text, body: bytes, headers: { etag: `"${hash}"` } };
}
