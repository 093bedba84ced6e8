import { type Fault, slip } from './fault.ts';

const listOptions = 'registry/list-options.ts';
const watcher = 'watch/watcher.ts';
const visible = 'watch/visible-change.ts';
const negotiation = 'request/negotiate.ts';
const reading = 'schema/protobuf-decode.ts';
const writing = 'schema/protobuf-encode.ts';

export const followingSlips: readonly Fault[] = [
  slip(
    'a selection by labels goes by those that an object was made with',
    ['service', 'lists', 'watch'],
    listOptions,
    'const matchesLabels = (selector: LabelSelector, { labels }: Stored) => selector.matches(labels);',
    "const firstLabels = new Map();\nconst matchesLabels = (selector: LabelSelector, stored: Stored) => {\n  const { uid = '' } = stored.value.metadata;\n  if (!firstLabels.has(uid)) firstLabels.set(uid, stored.labels);\n  return selector.matches(firstLabels.get(uid));\n};",
  ),
  slip(
    'labels with a domain in their key select nothing',
    ['lists', 'watch', 'params'],
    'base/label-selector.ts',
    'labels && Object.hasOwn(labels, key) ? labels[key] : undefined;',
    "labels && Object.hasOwn(labels, key.slice(key.lastIndexOf('/') + 1)) ? labels[key.slice(key.lastIndexOf('/') + 1)] : undefined;",
  ),
  slip(
    'what remains of a list of one namespace is counted in all of them',
    ['lists'],
    'registry/list.ts',
    'return { items, revision: shown, ...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) }) };',
    'const count = await services.store.count(resource.prefix);\n    return { items, revision: shown, ...(remaining > 0 && { remaining: count - items.length, token: tokenAfter(call, items, shown) }) };',
  ),
  slip(
    'a list at version 0 is cut at its limit and has no token',
    ['lists', 'params'],
    'request/verbs/read.ts',
    '  return encodeList(exchange, call, page);',
    "  const { limit = 0, resourceVersion } = listParameters(exchange.query);\n  if (resourceVersion === '0' && limit > 0) return encodeList(exchange, call, { ...page, items: page.items.slice(0, limit) });\n  return encodeList(exchange, call, page);",
  ),
  slip(
    'watch=false watches',
    ['params', 'watch', 'verbs'],
    'request/identify.ts',
    "return query.flag('watch') ? 'watch' : 'list';",
    "return query.has('watch') ? 'watch' : 'list';",
  ),
  slip(
    'a change of labels is told as an addition',
    ['watch', 'service'],
    visible,
    "{ type: was ? 'MODIFIED' : 'ADDED', stored: current }",
    "{ type: was && JSON.stringify(previous.labels) === JSON.stringify(current.labels) ? 'MODIFIED' : 'ADDED', stored: current }",
  ),
  slip(
    'a removal is not told where labels or fields select',
    ['watch', 'service'],
    visible,
    '  if (!was) return undefined;',
    '  if (!was || (!current && matches.length > 0)) return undefined;',
  ),
  slip(
    'a watch of one namespace begins with what is in all of them',
    ['watch', 'service'],
    watcher,
    'const { items, revision: now } = await store.list(prefix);',
    "const { items, revision: now } = await store.list(`${prefix.split('/').slice(0, 2).join('/')}/`);",
  ),
  slip(
    'a watch of one object does not hear that it is made anew',
    ['watch', 'names', 'service'],
    watcher,
    '    if (!change) return;',
    "    if (!change) return;\n    if (change.type === 'DELETED' && !this.#request.prefix.endsWith('/')) this.#subscription?.stop();",
  ),
  slip(
    'what cannot be had ends the search through the media types',
    ['content'],
    negotiation,
    'if (!mediaType) continue;',
    'if (!mediaType) break;',
  ),
  slip(
    'a form that cannot be had ends the search through the media types',
    ['content'],
    negotiation,
    "    if (transform === 'none') return { mediaType };",
    "    if (!transform) break;\n    if (transform === 'none') return { mediaType };",
  ),
  slip(
    'numbers of 64 bits are cut to 32 in protobuf',
    ['content'],
    writing,
    'writer.int64(Number(value));\n      return;\n    case',
    'writer.int32(Number(value));\n      return;\n    case',
  ),
  slip(
    'bytes that are no text are broken where protobuf is read',
    ['content'],
    reading,
    "return Buffer.from(reader.bytes()).toString('base64');",
    "return Buffer.from(Buffer.from(reader.bytes()).toString('utf8')).toString('base64');",
  ),
  slip(
    'a Table shows the version of its list in place of those of its rows',
    ['content'],
    'request/list-answer.ts',
    'shown: async ({ value }) => rowOf(table, await tableSource(resource, value), options),',
    'shown: async ({ value }) => rowOf(table, await tableSource(resource, { ...value, metadata: { ...value.metadata, resourceVersion: String(page.revision) } }), options),',
  ),
  slip(
    'custom types have no Table in their lists',
    ['content'],
    'request/list-answer.ts',
    "if (transform?.as === 'Table') return answerTable(exchange, call, page);",
    "if (transform?.as === 'Table' && resource.custom) throw notAcceptable(everyMediaType);\n  if (transform?.as === 'Table') return answerTable(exchange, call, page);",
  ),
  slip(
    'an unknown check of health passes',
    ['health'],
    'request/paths.ts',
    'const fixed = services.paths.get(path);',
    "const fixed = services.paths.get(path) ?? (/^.(?:livez|readyz)./.test(path) ? services.paths.get('/livez') : undefined);",
  ),
  slip(
    'of two checks that are left out of health one is told as any other',
    ['health'],
    'request/health.ts',
    'if (!counts) lines.push(`[+]${each} excluded: ok`);',
    "if (!counts && !lines.some((line) => line.includes('excluded'))) lines.push(`[+]${each} excluded: ok`);\n      else if (!counts) lines.push(`[+]${each} ok`);",
  ),
  slip(
    'discovery does not tell what is below custom types',
    ['service', 'verbs', 'paths'],
    'request/discovery.ts',
    '  return [own, ...below];',
    "  return 'custom' in resource && resource.custom ? [own] : [own, ...below];",
  ),
];
