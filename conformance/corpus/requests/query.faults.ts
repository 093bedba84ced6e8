import { answerStatus, changeAnswer, ignoreQuery, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { misread, refusal } from '../meddling.ts';

const blanksStay = sabotage('reads a plus as a plus', () => ({
  request: (request) => {
    const rawQuery = request.rawQuery.replaceAll('+', '%2B');
    return { ...request, rawQuery, query: new URLSearchParams(rawQuery) };
  },
}));

/** What a list, a watch or a single object may be asked with, and what other paths take. */
const ofLists: ReadonlySet<string> = new Set([
  ...['watch', 'labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch'],
  ...['timeoutSeconds', 'timeout', 'allowWatchBookmarks', 'pretty', 'includeObject', 'hash', 'verbose', 'exclude'],
]);

const numbers = ['limit', 'timeoutSeconds', 'gracePeriodSeconds'];

const isNumber = (text: string | null): boolean => text === null || /^[-+]?\d+$/.test(text);

/** Parameters of the query that all requests have, and how they are read. */
export default [
  fault('a plus in a query is no blank', ['lists', 'params'], blanksStay),
  fault(
    'numbers among the parameters that are none are passed over',
    ['params', 'lists'],
    misread({}, (query) => {
      for (const name of numbers) if (!isNumber(query.get(name))) query.delete(name);
    }),
  ),
  fault('a timeout is not looked at', ['params'], ignoreQuery('timeout')),
  fault('nothing is printed prettily', ['params', 'content'], ignoreQuery('pretty')),
  slip(
    'a list that is asked for in lines and indents is not',
    ['params', 'content'],
    'request/answer/list-answer.ts',
    "if (mediaType === 'application/json' && !exchange.isPretty) {",
    "if ((mediaType === 'application/json')) {",
  ),
  slip(
    'watch=false watches',
    ['params', 'watch', 'verbs'],
    'request/identify.ts',
    "return query.flag('watch') ? 'watch' : 'list';",
    "return query.has('watch') ? 'watch' : 'list';",
  ),
  slip(
    'of a parameter that comes twice the last counts',
    ['params', 'lists'],
    'request/query.ts',
    '  text(name: string): string | undefined {\n    return this.#values.get(name)?.[0] || undefined;',
    '  text(name: string): string | undefined {\n    return this.#values.get(name)?.at(-1) || undefined;',
  ),
  slip(
    'a flag without a value is off',
    ['params'],
    'request/query.ts',
    "value !== '0' && value.toLowerCase() !== 'false';",
    "value !== '' && value !== '0' && value.toLowerCase() !== 'false';",
  ),
  slip(
    'a plus in a query is a plus where nothing beside it is encoded',
    ['params'],
    'request/query.ts',
    "if (!text.includes('%') && !text.includes('+')) return text;",
    "if (!text.includes('%')) return text;",
  ),
  slip('a plus in a query is a plus', ['lists', 'params'], 'request/query.ts', "text.replaceAll('+', ' ')", 'text'),
  fault('an empty token is refused', ['params'], answerStatus(400, { method: 'GET', query: { continue: '' } })),
  fault(
    'an empty version is refused',
    ['params'],
    answerStatus(400, { method: 'GET', query: { resourceVersion: '' } }),
  ),
  fault(
    'an empty selector selects nothing',
    ['params'],
    changeAnswer('', (body) => (body.items ? { ...body, items: [] } : body), {
      method: 'GET',
      path: /\/namespaces\/[^/]+\/[a-z]+$/,
      query: { labelSelector: '' },
    }),
  ),
  slip(
    'watch=0 opens a watch',
    ['params'],
    'request/query.ts',
    "value !== '0' && value.toLowerCase() !== 'false'",
    "value.toLowerCase() !== 'false'",
  ),
  slip(
    'a flag is false in small letters alone',
    ['params'],
    'request/query.ts',
    "value.toLowerCase() !== 'false'",
    "value !== 'false'",
  ),
  slip(
    'pretty=false is taken for true',
    ['params'],
    'request/exchange.ts',
    'if (asked !== undefined) return truths.includes(asked);',
    'if (asked !== undefined) return true;',
  ),
  slip(
    'parameters with a semicolon are read',
    'params',
    'request/query.ts',
    "      if (part.includes(';')) continue;\n",
    '',
  ),
  slip(
    'a limit below nothing counts as its amount',
    ['params'],
    'registry/list-options.ts',
    'limit: Math.max(0, limit),',
    'limit: Math.abs(limit),',
  ),
  fault(
    'a parameter that nobody knows is refused where objects are listed',
    ['params', 'lists'],
    sabotage('refuses parameters', () => ({
      request: (request) =>
        request.method === 'GET' && [...request.query.keys()].some((name) => !ofLists.has(name))
          ? refusal(400, 'BadRequest')
          : request,
    })),
  ),
  fault(
    'of a limit beyond 32 bits the last 32 count',
    ['params'],
    misread({ method: 'GET', query: { limit: /^\d{10,}$/ } }, (query) =>
      query.set('limit', `${Number(query.get('limit')) % 2 ** 32}`),
    ),
  ),
];
