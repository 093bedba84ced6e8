import { edited } from '../../sabotage/edited.ts';
import { changeAnswer, removeIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { asTable, collectionOf } from '../matches.ts';
import { wherever, without } from '../meddling.ts';

const table = 'registry/table.ts';
const listAnswer = 'request/answer/list-answer.ts';

const tables = { method: 'GET', header: { accept: /as=Table/ } };

/** Answers as a Table. */
export default [
  fault(
    'a Table of nothing has no list of rows',
    ['content', 'collections'],
    changeAnswer('', (body) => (body?.kind === 'Table' && body.rows?.length === 0 ? { ...body, rows: null } : body), {
      header: asTable,
    }),
  ),
  fault(
    'times in columns are texts',
    ['content'],
    changeAnswer(
      '',
      (body) =>
        body?.kind === 'Table'
          ? edited(body, ['columnDefinitions', '*', 'type'], (type) => (type === 'date' ? 'string' : type))
          : body,
      { header: asTable },
    ),
  ),
  fault(
    'a Table of Jobs has a cell too many',
    ['content'],
    changeAnswer('', (body) => edited(body, ['rows', '*', 'cells'], (cells) => [...cells, 'more']), {
      method: 'GET',
      path: collectionOf('jobs'),
      header: asTable,
    }),
  ),
  fault(
    'a Table of one custom object has no columns',
    ['content'],
    changeAnswer('', (body) => (body?.kind === 'Table' ? { ...body, columnDefinitions: [] } : body), {
      method: 'GET',
      path: /touchstone\.example\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+$/,
      header: asTable,
    }),
  ),
  fault(
    'a Table of one object is the object',
    'content',
    requestHeader('accept', undefined, { ...tables, path: /\/[a-z]+\/[^/]+$/ }),
  ),
  fault(
    'a Table of custom objects lacks the types of its columns',
    'content',
    removeIn('columnDefinitions.*.type', { ...tables, path: /touchstone\.example/ }),
  ),
  fault('a page of a Table has no token', 'content', removeIn('metadata.continue', tables)),
  fault(
    'columns of a Table of several have no type',
    ['content'],
    changeAnswer(
      '',
      (body) =>
        body?.kind === 'Table' && body.rows?.length > 1
          ? { ...body, columnDefinitions: body.columnDefinitions?.map((column: Json) => without('type', column)) }
          : body,
      { method: 'GET' },
    ),
  ),
  slip(
    'a Table has columns where they are told already, and none at first',
    ['content'],
    table,
    'columnDefinitions: columns ? columnsOf(table) : null,',
    'columnDefinitions: !(columns) ? columnsOf(table) : null,',
  ),
  slip(
    'columns of a Table read another version than they know',
    ['content', 'versioning'],
    table,
    'return { shown, read: itself ? shown : await toStorage(resource, shown) };',
    'return { shown, read: (shown) };',
  ),
  slip(
    'a Table leaves the metadata of its objects out',
    ['content'],
    table,
    "if (!value) return 'Metadata';",
    "if (!value) return 'None';",
  ),
  slip(
    'a Table with whole objects has only their metadata',
    ['content'],
    table,
    "options.include === 'Object' ? object :",
    "options.include === 'Object' ? partial(object, options.version) :",
  ),
  slip(
    'a Table that shall tell no objects tells their metadata',
    ['content'],
    table,
    "options.include === 'None' ? null : partial",
    'partial',
  ),
  slip(
    'a Table without objects has their metadata',
    ['content'],
    table,
    "options.include === 'None' ? null : partial(",
    'partial(',
  ),
  slip(
    'a Table shows the version of its list in place of those of its rows',
    ['content'],
    listAnswer,
    'shown: async ({ value }) => rowOf(table, await tableSource(resource, value), options),',
    'shown: async ({ value }) => rowOf(table, await tableSource(resource, { ...value, metadata: { ...value.metadata, resourceVersion: String(page.revision) } }), options),',
  ),
  slip(
    'custom types have no Table in their lists',
    ['content'],
    listAnswer,
    "if (transform?.as === 'Table') return answerTable(exchange, call, page);",
    "if (transform?.as === 'Table' && resource.custom) throw notAcceptable(everyMediaType);\n  if (transform?.as === 'Table') return answerTable(exchange, call, page);",
  ),
  slip(
    'a Table of a collection has no version',
    ['content', 'rv', 'lists'],
    listAnswer,
    '    metadata: listMetadata(false, page),\n    now:',
    "    metadata: { ...listMetadata(false, page), resourceVersion: '' },\n    now:",
  ),
  slip(
    'a status cannot be had as a Table',
    ['content'],
    'request/dispatch.ts',
    "  resource.verbs.has('get') &&\n  !isOperation",
    "  resource.verbs.has('get') &&\n  subresource !== 'status' &&\n  !isOperation",
  ),
  slip(
    'the table of a binding shows every subject in the column of each kind',
    ['content'],
    'kinds/rbac/binding-rules.ts',
    'subjects\n    .filter((subject) => subject.kind === kind)',
    'subjects',
  ),
  slip(
    'the table of events does not name their objects',
    ['content', 'event'],
    'kinds/events/event.ts',
    'name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase()',
    '(kind.toLowerCase())',
  ),
  slip(
    'the table of an autoscaler shows all of its metrics',
    ['content', 'component'],
    'kinds/autoscaling/horizontal-pod-autoscaler.ts',
    ', shown',
    '',
  ),
  slip(
    'the table of pods says how an init container waits when it does nothing else',
    ['content', 'component'],
    'kinds/core/pod/table.ts',
    "waiting && waiting !== 'PodInitializing'",
    '(waiting)',
  ),
  slip(
    'a page shown as a table does not tell of the next',
    ['content', 'lists'],
    'request/answer/list-answer.ts',
    'metadata: listMetadata(false, page),\n    now',
    'metadata: { resourceVersion: String(page.revision) },\n    now',
  ),
  slip(
    'what a write of a status answers cannot be had as a table',
    ['content'],
    'request/answer/answer.ts',
    'if (!transform) return encoded',
    "if (!transform || (transform.as === 'Table' && exchange.info.subresource !== '' && exchange.info.verb !== 'get')) return encoded",
  ),
  fault(
    'a Table of nothing has no columns',
    'content',
    wherever((body) => (body.kind === 'Table' && body.rows?.length === 0 ? { ...body, columnDefinitions: [] } : body)),
  ),
  slip(
    'only the first page as a Table has columns',
    ['content', 'lists'],
    'request/answer/list-answer.ts',
    '    columns: true,',
    "    columns: exchange.query.get('continue') === undefined,",
  ),
  slip(
    'a watch as Tables has whole objects in the first event alone',
    ['watch', 'content'],
    'request/answer/watch-stream.ts',
    'table(await tableSource(resource, object), columns);',
    "table(await tableSource(resource, object), columns, columns ? include : 'Metadata');",
  ),
  slip(
    'bookmarks of a watch as Tables bear no version',
    ['watch', 'content'],
    'request/answer/watch-stream.ts',
    'table({ shown: object, read: unsaid(object) }',
    'table({ shown: { ...object, metadata: {} }, read: unsaid(object) }',
  ),
  slip(
    'the row of a pod that failed does not say that it has ended',
    ['content'],
    'kinds/core/pod/table.ts',
    "return status?.phase === 'Failed' ? [completed('Failed', 'The pod failed.')] : [];",
    'return [];',
  ),
  slips(
    'a Table of one object stays as it is until the generation of the object rises',
    ['content', 'get', 'rv'],
    [
      {
        file: 'request/answer/answer.ts',
        from: 'async function tableFor(',
        to: 'const tables = new Map();\nasync function tableFor(',
      },
      {
        file: 'request/answer/answer.ts',
        from: 'return makeTable(tableOf(call.resource, call.subresource), await tableSource(call.resource, object), {',
        to: 'const known = `${object.metadata.uid} ${object.metadata.generation}`;\n  if (object.metadata.generation && !tables.has(known)) tables.set(known, object);\n  return makeTable(tableOf(call.resource, call.subresource), await tableSource(call.resource, tables.get(known) ?? object), {',
      },
    ],
  ),
  slip(
    'every event of a watch as a Table has the columns',
    ['content'],
    'request/answer/watch-stream.ts',
    'const rest = transforming(seen, row(false), bookmark, resource);',
    'const rest = transforming(seen, row(true), bookmark, resource);',
  ),
  slip(
    'one object as a Table of the older version is told in the newer one',
    ['content'],
    'request/answer/answer.ts',
    "version: exchange.representation.transform?.version ?? 'v1',",
    "version: 'v1',",
  ),
  slip(
    'rows of a Table have no conditions',
    ['content'],
    'registry/table.ts',
    '...(conditions.length > 0 && { conditions }), ',
    '',
  ),
  slip(
    'rows of a Table of the older version hold metadata of the newer one',
    ['content'],
    'registry/table.ts',
    ': partial(object, options.version);',
    ": partial(object, 'v1');",
  ),
  slip(
    'a Scale as a Table has the columns of its object',
    ['content'],
    'registry/table.ts',
    'rules.subresources?.[subresource]?.document?.table ?? rules.table ?? defaultTable',
    'rules.table ?? defaultTable',
  ),
  slip(
    'a Table of one object has no version of its own',
    ['content'],
    'request/answer/answer.ts',
    'metadata: { resourceVersion: object.metadata.resourceVersion },',
    'metadata: {},',
  ),
  slip(
    'a watch as Tables of the older version tells those of the newer one',
    ['content'],
    'request/answer/watch-stream.ts',
    '      version: transform.version,\n      include: included,',
    "      version: 'v1',\n      include: included,",
  ),
];
