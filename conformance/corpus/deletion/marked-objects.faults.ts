import { edited } from '../../sabotage/edited.ts';
import { sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { jsonOf, refusal, remembering, wherever } from '../meddling.ts';

const deleting = 'registry/steps/delete-steps.ts';
const systemFields = 'registry/steps/system-fields.ts';

/** What a delete has only marked is missing for the next one. */
const deletesOnce = sabotage('deletes once', () => {
  const marked = new Set<string>();
  return {
    request: (request) =>
      request.method === 'DELETE' && marked.has(request.path) ? refusal(404, 'NotFound') : request,
    answer: (answer, { method, path, query, body }) => {
      const isMarked = method === 'DELETE' && jsonOf(answer.body)?.metadata?.deletionTimestamp !== undefined;
      if (isMarked && !query.has('dryRun') && !body.includes('dryRun')) marked.add(path);
      return answer;
    },
  };
});

/** The time of a deletion is that of the last delete. */
const restless = remembering(() => {
  const deletes = new Map<string, number>();
  return (body, { method, path, query }) => {
    if (method === 'DELETE' && !query.has('dryRun')) deletes.set(path, (deletes.get(path) ?? 0) + 1);
    const again = (deletes.get(path) ?? 0) > 1;
    const at = body.metadata?.deletionTimestamp;
    return again && at
      ? {
          ...body,
          metadata: {
            ...body.metadata,
            deletionTimestamp: new Date(Date.parse(at) + 2_000).toISOString().replace('.000', ''),
          },
        }
      : body;
  };
});

/** What an object that waits for its finalizers tells and allows. */
export default [
  fault(
    'the time of a deletion is told to the millisecond',
    ['deletion', 'meta'],
    wherever((body) =>
      edited(body, ['metadata', 'deletionTimestamp'], (time) =>
        typeof time === 'string' ? time.replace(/Z$/, '.000Z') : time,
      ),
    ),
  ),
  fault('what is going is missing for another delete', ['deletion'], deletesOnce),
  fault('the time of a deletion moves with a second delete', 'deletion', restless),
  slip(
    'what waits for finalizers alone bears no grace period',
    ['deletion', 'meta'],
    deleting,
    "if (grace !== 'untimed') metadata.deletionGracePeriodSeconds = seconds;",
    "if (typeof grace === 'number') metadata.deletionGracePeriodSeconds = seconds;",
  ),
  slip(
    'an object that finalizers hold is marked as going by its second deletion at the earliest',
    ['deletion', 'params'],
    deleting,
    "if (metadata.deletionTimestamp && !(typeof grace === 'number' && seconds < before)) return false;",
    "if (!(metadata.deletionTimestamp && !(typeof grace === 'number' && seconds < before))) return false;",
  ),
  slip(
    'the time of a deletion is when it shall be over',
    ['deletion', 'meta'],
    deleting,
    'formatTime(start + seconds * 1000);',
    'formatTime(start + (grace === undefined ? 30 : seconds) * 1000);',
  ),
  slip(
    'labels of what is going stay as they are',
    ['deletion', 'meta'],
    systemFields,
    '  if (from.deletionTimestamp) {\n',
    '  if (from.deletionTimestamp) {\n    if (from.labels) carry(to, from, "labels");\n',
  ),
  slip(
    'a create may set the time of a deletion',
    ['meta', 'deletion'],
    systemFields,
    "const notForClients = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const;",
    "const notForClients = ['selfLink'] as const;",
  ),
  slip(
    'an update of what is being deleted must repeat that it is',
    ['deletion'],
    systemFields,
    "    carry(to, from, 'deletionTimestamp');\n",
    '',
  ),
  slip(
    'what is going is not listed',
    ['deletion', 'lists'],
    'registry/list.ts',
    'return await inServedVersion(call, page, asked.any ? view : viewNow);',
    'const seen = await inServedVersion(call, page, asked.any ? view : viewNow);\n    return { ...seen, items: seen.items.filter(({ value }) => !value.metadata.deletionTimestamp) };',
  ),
  slip(
    'a watch does not begin with what is going',
    ['deletion', 'watch'],
    'watch/watcher.ts',
    'for (const stored of items) if (matches(stored))',
    'for (const stored of items) if (!stored.value.metadata.deletionTimestamp && matches(stored))',
  ),
  slip(
    'a later delete may give a pod more time than it had',
    ['deletion', 'params', 'kinds'],
    deleting,
    '&& seconds < before)) return false',
    '&& seconds !== before)) return false',
  ),
  slip(
    'a pod that has no node is given its time all the same',
    ['deletion', 'params', 'kinds', 'component'],
    'kinds/core/pod/pod.ts',
    'if (!object.spec?.nodeName || ended(object)) return 0;',
    'if (ended(object)) return 0;',
  ),
  slip(
    'a pod that is given time is marked with the time of its delete',
    ['deletion', 'params', 'kinds', 'component'],
    deleting,
    'metadata.deletionTimestamp = formatTime(start + seconds * 1000);',
    'metadata.deletionTimestamp = formatTime(start);',
  ),
  slip(
    'a pod may be given less than no time',
    ['deletion', 'params', 'kinds'],
    'kinds/core/pod/pod.ts',
    'return seconds < 0 ? 1 : seconds;',
    'return seconds;',
  ),
  slip(
    'an update of what is going has to repeat its grace',
    ['deletion', 'meta', 'params'],
    'registry/steps/system-fields.ts',
    'if (to.deletionGracePeriodSeconds === undefined) carry',
    'if (false as boolean) carry',
  ),
  slip(
    'a limit range keeps a claim that is going from losing what holds it',
    ['admission', 'deletion'],
    'admission/plugins/limit-ranger/limit-ranger.ts',
    "if (operation === 'UPDATE' && object.metadata.deletionTimestamp) return;",
    '',
  ),
  slip(
    'a deletecollection moves the time of a deletion',
    ['deletion'],
    deleting,
    'const context = writeContext({ ...call, options }, undo);',
    'const context = writeContext({ ...call, options }, undo);\n  if (removal.occasion.collection) delete next.metadata.deletionTimestamp;',
  ),
];
