import { changeRequest, removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { wherever } from '../meddling.ts';

const trackUpdate = 'patch/apply/track-update.ts';

/** Whoever writes gives his time to all. */
const lastTime = wherever((body) => {
  const entries: readonly Json[] = body?.metadata?.managedFields ?? [];
  const last = entries
    .map(({ time = '' }) => time)
    .sort()
    .at(-1);
  const managedFields = entries.map((entry) => (entry.time ? { ...entry, time: last } : entry));
  return entries.length > 1 ? { ...body, metadata: { ...body.metadata, managedFields } } : body;
});

/** The entries of managedFields: when there are any, what they tell, and how they are cleared. */
export default [
  fault(
    'an update of a status loses managedFields',
    ['apply'],
    changeRequest('', (body) => ({ ...body, metadata: { ...body.metadata, managedFields: [{}] } }), {
      method: 'PUT',
      path: /\/status$/,
    }),
  ),
  fault(
    'answers to applies do not tell who owns what',
    ['apply'],
    removeIn('metadata.managedFields', { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'lists do not tell who manages what',
    ['apply', 'lists'],
    removeIn('items.*.metadata.managedFields', { method: 'GET' }),
  ),
  slip(
    'managed fields tell a version without its group',
    ['apply'],
    'registry/steps/managers.ts',
    'manager: options.fieldManager || defaultManager(call.userAgent),\n    apiVersion: resource.served.apiVersion,',
    'manager: options.fieldManager || defaultManager(call.userAgent),\n    apiVersion: resource.served.version,',
  ),
  slip(
    'what is created has no managed fields',
    ['apply', 'meta'],
    trackUpdate,
    'if (Object.keys(fieldsV1).length === 0) return [];',
    'if (!(Object.keys(fieldsV1).length === 0)) return [];',
  ),
  slip(
    'only an update that clears them has managed fields',
    ['apply', 'meta'],
    trackUpdate,
    'if (live && sent?.size === 0) return [];',
    'if (!(live && sent?.size === 0)) return [];',
  ),
  slip(
    'a list of one empty entry does not clear managedFields',
    ['apply'],
    trackUpdate,
    'if (sent.length === 0 || (sent.length === 1 && isBlank(sent[0]))) return new Map();',
    'if (sent.length === 0) return new Map();',
  ),
  slip(
    'entries of later updates bear no time',
    ['apply'],
    trackUpdate,
    '...(now !== undefined && { time: formatTime(now) }),\n  fields: noFields,',
    'fields: noFields,',
  ),
  slip(
    'an update that leaves out who manages what clears it',
    ['apply'],
    trackUpdate,
    'next.metadata.managedFields ? sentManagers(update) : undefined;',
    'next.metadata.managedFields ? sentManagers(update) : live && !update.subresource ? new Map() : undefined;',
  ),
  slip(
    'who writes again keeps the time at which he wrote first',
    ['apply'],
    trackUpdate,
    'managers.set(identity, { ...writer, fields:',
    'managers.set(identity, { ...writer, ...managers.get(identity), fields:',
  ),
  slip(
    'who applies something else keeps the time at which he applied first',
    ['apply'],
    'patch/apply/apply.ts',
    'applier(request, fields, request.now === undefined ? undefined : formatTime(request.now))',
    'applier(request, fields, last?.time ?? (request.now === undefined ? undefined : formatTime(request.now)))',
  ),
  slip(
    'what the server itself made lacks the type of its managed fields',
    ['apply'],
    'patch/apply/own-entry.ts',
    "\n  fieldsType: 'FieldsV1',",
    '',
  ),
  slip(
    'what an update makes has no managed fields',
    ['apply', 'verbs'],
    'registry/steps/managers.ts',
    '  const next = emptiesBytes ? withoutBytes(call.resource.served, shown) : shown;\n',
    '  const next = emptiesBytes ? withoutBytes(call.resource.served, shown) : shown;\n  if (!live && call.name) return known([]);\n',
  ),
  fault('all managers have the time of the last write', ['apply'], lastTime),
  slip(
    'the entries of applies count towards the ten of updates',
    ['apply'],
    'patch/apply/managers.ts',
    "for (const { operation } of managers.values()) if (operation === 'Update') count++;",
    'count = managers.size;',
  ),
  slip(
    'a patch that empties managedFields clears nothing',
    ['apply'],
    'registry/patch.ts',
    '  keepNoEntries(next, emptied);\n',
    '',
  ),
  slip(
    'who makes an object owns its lists as wholes, whatever they hold',
    ['apply'],
    'patch/apply/first-fields.ts',
    'if (items.size === 0) return whole;',
    'if (items.size !== 0) return whole;',
  ),
  slip(
    'an update of a status says who owns what',
    ['apply'],
    trackUpdate,
    'if (!isListOfEntries(sent) || subresource) return undefined;',
    'if (!isListOfEntries(sent)) return undefined;',
  ),
  slip(
    'entries of which nothing can be read clear managedFields',
    ['apply'],
    'patch/apply/track-update.ts',
    '  return readManagers(sent);',
    '  return readManagers(sent) ?? new Map();',
  ),
];
