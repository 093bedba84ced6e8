import { edited } from '../../sabotage/edited.ts';
import { changeEvent, ignoreQuery, retypeEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { collectionOf, outsideNamespaces, watches } from '../matches.ts';
import { watching } from '../meddling.ts';

const visibleChange = 'watch/visible-change.ts';

/** What a POST has made is new; anything else that is added was there before. */
const cameToMatch = watching(() => {
  const made = new Set<string>();
  const versionOf = (object: Json): string => `${object?.metadata?.uid} ${object?.metadata?.resourceVersion}`;
  return {
    answer: (body, { method }) => void (method === 'POST' && made.add(versionOf(body))),
    event: (event, { path, query }) => {
      const concerned =
        outsideNamespaces.test(path) && query.has('labelSelector') && Number(query.get('resourceVersion')) > 0;
      const entered = concerned && event.type === 'ADDED' && !made.has(versionOf(event.object));
      return [entered ? { ...event, type: 'MODIFIED' } : event];
    },
  };
});

/** Objects that no request has deleted left what is watched for another reason. */
const stillThere = watching(() => {
  const deleted = new Set<string>();
  return {
    request: ({ method, path }) => {
      if (method === 'DELETE') deleted.add(path.split('/').at(-1) ?? '');
    },
    event: (event, request) => {
      const gone = [...deleted].some(
        (last) => last === event.object?.metadata?.name || request.path.endsWith(`/${last}`),
      );
      return event.type === 'DELETED' && !gone ? [{ ...event, type: 'MODIFIED' }] : [event];
    },
  };
});

/** Watches that select: what enters, changes and leaves what is selected. */
export default [
  fault(
    'what is selected by labels is told as new whenever it changes',
    ['watch'],
    retypeEvent('MODIFIED', 'ADDED', { ...watches, query: { watch: true, labelSelector: true } }),
  ),
  fault(
    'the removal of a Role is told without its labels',
    ['watch', 'service'],
    changeEvent(
      '',
      (event) => [event.type === 'DELETED' ? edited(event, ['object', 'metadata', 'labels'], () => undefined) : event],
      { ...watches, path: collectionOf('roles') },
    ),
  ),
  fault('what comes to match is told as modified where all namespaces are watched', ['watch', 'params'], cameToMatch),
  fault('an object that leaves the selection is announced as modified', ['service', 'watch'], stillThere),
  fault(
    'a watch ignores its label selector',
    ['watch', 'service', 'params'],
    ignoreQuery('labelSelector', { ...watches, path: /^\/apis\/[^/]+\/[^/]+\/[a-z0-9]+$/ }),
  ),
  fault('a watch ignores its field selector', ['watch', 'csr', 'service'], ignoreQuery('fieldSelector', watches)),
  slip(
    'a watch from the beginning shows what does not match',
    ['watch', 'params'],
    'watch/watcher.ts',
    "for (const stored of items) if (matches(stored)) yield { type: 'ADDED', stored };",
    "for (const stored of items) if (!(matches(stored))) yield { type: 'ADDED', stored };",
  ),
  slip(
    'a watch without a version begins with everything, selected or not',
    ['watch', 'params'],
    'watch/watcher.ts',
    'if (matches(stored)) yield',
    'yield',
  ),
  slip(
    'a change of labels is told as an addition',
    ['watch', 'service'],
    visibleChange,
    "{ type: was ? 'MODIFIED' : 'ADDED', stored: current }",
    "{ type: was && JSON.stringify(previous.labels) === JSON.stringify(current.labels) ? 'MODIFIED' : 'ADDED', stored: current }",
  ),
  slip(
    'a removal is not told where labels or fields select',
    ['watch', 'service'],
    visibleChange,
    '  if (!was) return undefined;',
    '  if (!was || (!current && matches.length > 0)) return undefined;',
  ),
  slip(
    'the removal of what was never selected is told',
    ['watch'],
    visibleChange,
    'if (!was) return undefined;',
    'if (!was && current) return undefined;',
  ),
  slip(
    'what enters a selection is told as modified',
    ['watch', 'service'],
    visibleChange,
    "type: was ? 'MODIFIED' : 'ADDED'",
    "type: previous ? 'MODIFIED' : 'ADDED'",
  ),
  slip(
    'what leaves a selection is told with its new state',
    ['watch', 'service'],
    visibleChange,
    'stored: removed ?? stateLeft(event)',
    'stored: removed ?? (event.current as Stored)',
  ),
  slip(
    'a watch by labels and fields is one by labels',
    ['watch', 'params'],
    'request/verbs/watch.ts',
    '{ ...parameters, name: info.pathName }',
    '{ ...parameters, name: info.pathName, ...(parameters.labelSelector && parameters.fieldSelector && { fieldSelector: undefined }) }',
  ),
  slip(
    'what leaves a selection is told with the version that it had',
    ['watch', 'rv'],
    'watch/visible-change.ts',
    'removed ?? stateLeft(event)',
    'removed ?? previous',
  ),
  slip(
    'who watches from the past is not told what left the selection',
    ['watch', 'service'],
    'watch/watcher.ts',
    '    if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);',
    "    if (event.revision <= this.#historyEnd && event.current && change.type === 'DELETED') return;\n    if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);",
  ),
  slip(
    'what came into the selection before a watch began is told as modified',
    ['watch', 'service'],
    'watch/watcher.ts',
    '    if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);',
    "    if (event.revision <= this.#historyEnd && event.previous && change.type === 'ADDED') this.#delivery.addHistory({ ...change, type: 'MODIFIED' });\n    else if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);",
  ),
  fault(
    'a watch of the second version of a type forgets the labels',
    ['component'],
    ignoreQuery('labelSelector', { query: { watch: true }, path: /touchstone\.example\/v2\// }),
  ),
  slip(
    'what enters a selection a second time is told as modified',
    ['watch', 'lists', 'service'],
    'watch/visible-change.ts',
    '  if (current && matches(current)) return {',
    "  const known = ((globalThis.entered ??= new WeakMap()).get(matches) ?? new Set());\n  globalThis.entered.set(matches, known);\n  if (current && matches(current) && !was && known.has(current.value.metadata.uid)) return { type: 'MODIFIED', stored: current };\n  if (current) known.add(current.value.metadata.uid);\n  if (current && matches(current)) return {",
  ),
  slip(
    'the removal of what has left the selection is told once more',
    ['watch', 'lists', 'service'],
    'watch/visible-change.ts',
    '  if (!was) return undefined;',
    "  const left = ((globalThis.left ??= new WeakMap()).get(matches) ?? new Set());\n  globalThis.left.set(matches, left);\n  const uid = previous?.value.metadata.uid;\n  if (was && current) left.add(uid);\n  if (!was && !current && removed && left.has(uid)) return { type: 'DELETED', stored: removed };\n  if (!was) return undefined;",
  ),
  slip(
    'what is selected by two terms is watched by the first',
    ['watch', 'params', 'service'],
    'registry/list-options.ts',
    '(!byField || !fieldOf || byField.matches(',
    '(!byField || !fieldOf || (byLabel && byField.requirements.length > 1) || byField.matches(',
  ),
  slip(
    'a watch by a name and labels does not hear that the labels have gone',
    ['watch', 'params', 'service'],
    'watch/watcher.ts',
    'if (!change) return;',
    "if (!change || (change.type === 'DELETED' && event.current && !this.#request.prefix.endsWith('/'))) return;",
  ),
  slip(
    'a watch with a selector never hears that an object has stopped matching',
    ['watch', 'params'],
    visibleChange,
    'if (!was) return undefined;',
    'if (!was || current) return undefined;',
  ),
  slips(
    'what comes to match by its fields is not told',
    ['watch', 'service'],
    [
      {
        file: 'registry/list-options.ts',
        from: 'matches: (stored) =>\n      (!byLabel',
        to: 'matches: Object.assign((stored) =>\n      (!byLabel',
      },
      {
        file: 'registry/list-options.ts',
        from: 'byField.matches((field) => fieldOf(field, stored))),',
        to: 'byField.matches((field) => fieldOf(field, stored))), { byField }),',
      },
      {
        file: 'watch/visible-change.ts',
        from: 'if (current && matches(current)) return { type: was',
        to: 'if (current && previous && !was && matches.byField) return undefined;\n  if (current && matches(current)) return { type: was',
      },
    ],
  ),
  slip(
    'watchers of different selections who are told of several changes at once are told the same',
    ['params'],
    'watch/delivery.ts',
    'parts.every((part, at) => part === lastBatch?.parts[at])',
    'parts[0] === lastBatch.parts[0]',
  ),
  slip(
    'who watches several values of a label is told of the first alone',
    ['params'],
    'registry/list-options.ts',
    "operator === 'In' && values.length === 1);",
    "operator === 'In');",
  ),
  slip(
    'who watches all values of a label but some is told of those',
    ['params'],
    'registry/list-options.ts',
    "operator === 'In' && values.length === 1);",
    'values.length === 1);',
  ),
];
