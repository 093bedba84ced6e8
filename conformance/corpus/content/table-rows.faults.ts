import { ignoreQuery, replaceIn } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const table = 'registry/table.ts';

const tables = { method: 'GET', header: { accept: /as=Table/ } };

/** What the rows of a Table include of their objects. */
export default [
  fault(
    'one object as a Table never has the whole of it',
    ['content'],
    ignoreQuery('includeObject', { method: 'GET', path: /s\/[^/]+$/ }),
  ),
  slip(
    'what a Table is to include may be any word',
    ['content', 'params'],
    table,
    "if (!value) return 'Metadata';",
    "if (!value || !/^(?:Object|None)$/.test(value)) return 'Metadata';",
  ),
  slip(
    'a later page as a Table has rows without objects',
    ['content', 'lists', 'meta'],
    'request/answer/list-answer.ts',
    "include: includeObjectOf(exchange.query.get('includeObject')),",
    "include: exchange.query.get('continue') ? 'None' : includeObjectOf(exchange.query.get('includeObject')),",
  ),
  fault(
    'a Table that is to include no objects has no rows',
    ['content'],
    replaceIn('rows', { ...tables, query: { includeObject: 'None' }, with: [] }),
  ),
  slip(
    'a Table includes metadata where it is to include nothing',
    ['content'],
    table,
    "options.include === 'None' ? null : partial(object, options.version)",
    'partial(object, options.version)',
  ),
];
