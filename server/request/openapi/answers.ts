import { createHash } from 'node:crypto';
import { carryOut, known, type Work } from '../../base/turns/work.ts';
import type { Resources } from '../../registry/resources.ts';
import { encodeJson } from '../../schema/encode.ts';
import { addressesElsewhere, partsElsewhere } from '../aggregation/open-api.ts';
import type { Answer } from '../answer/respond.ts';
import type { Exchange } from '../exchange.ts';
import { takesSome } from '../negotiate.ts';
import type { RequestServices } from '../services.ts';
import { perGeneration } from './per-generation.ts';
import { type Document, foreverFrom, movedTo, toldByHash } from './told-by-hash.ts';
import { type Version2, version2Of } from './version-2.ts';
import { documentOfVersion3, documentPaths } from './version-3.ts';

interface Made {
  /** What it was made from beside the resources. */
  readonly from: string;
  readonly document: Promise<Document>;
}

/** They are made one after the other as they are asked for, in turns with what else there is to do. */
const documentsOf = perGeneration(() => new Map<string, Made>());

type Make = () => Buffer | Promise<Buffer>;

function documentAt(resources: Resources, id: string, make: Make, from = ''): Promise<Document> {
  const documents = documentsOf(resources);
  const known = documents.get(id);
  if (known?.from === from) return known.document;
  const made = { from, document: madeBy(make) };
  documents.set(id, made);
  made.document.catch(() => documents.get(id) === made && documents.delete(id));
  return made.document;
}

async function madeBy(make: Make): Promise<Document> {
  const bytes = await make();
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32).toUpperCase() };
}

const groupDocument = (resources: Resources, path: string, version: string): Promise<Document> =>
  documentAt(resources, path, () => Buffer.from(encodeJson(documentOfVersion3(resources, path, version))));

async function encodeVersion2({ paths, definitions, rest }: Version2): Promise<Buffer> {
  const [inPaths, inDefinitions] = [await carryOut(encoded(paths)), await carryOut(encoded(definitions))];
  return Buffer.from(`${encodeJson(rest).slice(0, -1)},"paths":${inPaths},"definitions":${inDefinitions}}`);
}

/** An object with these members as JSON. */
function* encoded(members: Iterable<readonly [name: string, value: object]>): Work<string> {
  const texts: string[] = [];
  for (const [name, value] of members) {
    texts.push(`${encodeJson(name)}:${encodeJson(value)}`);
    yield;
  }
  return `{${texts.join(',')}}`;
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
export async function openApiV2(exchange: Exchange, services: RequestServices): Promise<Answer> {
  const { resources, version } = services;
  const parts = await partsElsewhere(services);
  const from = parts.map(({ hash }) => hash).join();
  const make = () => version2Of(resources, version.gitVersion, parts);
  if (protobufAsked.some((type) => exchange.header('accept')?.includes(type))) {
    const { encodeOpenApi } = await import('./protobuf.ts');
    const document = await documentAt(resources, 'v2 protobuf', () => carryOut(encodeOpenApi(make())), from);
    return toldByHash(exchange, document, protobufType);
  }
  if (!takesSome(exchange.header('accept'), jsonOnly)) return unfit;
  return toldByHash(exchange, await documentAt(resources, 'v2', () => encodeVersion2(make()), from), text);
}

/** `/openapi/v3`: where the documents are. */
export async function openApiV3Index(_exchange: Exchange, services: RequestServices): Promise<Answer> {
  const own = Object.entries(await carryOut(addresses(services)));
  const others = (await addressesElsewhere(services)).map(([path, url]) => [path, { serverRelativeURL: url }] as const);
  const paths = Object.fromEntries([...own, ...others].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { code: 200, contentType: text, body: encodeJson({ paths }) };
}

function* addresses({ resources, version }: RequestServices): Work<Record<string, object>> {
  const paths: Record<string, object> = {};
  for (const path of documentPaths(resources)) {
    const { hash } = yield* known(groupDocument(resources, path, version.gitVersion));
    paths[path] = { serverRelativeURL: addressOf(path, hash) };
    yield;
  }
  return paths;
}

const addressOf = (path: string, hash: string) => `/openapi/v3/${path}?hash=${hash}`;

/** What clients ask for who would take the protobuf form, too, and read this one. */
const asked3 = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

/** `/openapi/v3/{document path}`, by its hash as the index tells it or as it is now. */
export async function openApiV3(
  exchange: Exchange,
  documentPath: string,
  { resources, version, clock }: RequestServices,
): Promise<Answer> {
  if (!documentPaths(resources).includes(documentPath)) return { code: 404, contentType: '', body: '' };
  const accept = exchange.header('accept');
  if (accept !== asked3 && !takesSome(accept, jsonOnly)) return unfit;
  const document = await groupDocument(resources, documentPath, version.gitVersion);
  const hash = exchange.query.text('hash');
  if (hash && hash !== document.hash) return movedTo(addressOf(documentPath, document.hash));
  return toldByHash(exchange, document, text, hash ? foreverFrom(clock.now()) : undefined);
}
