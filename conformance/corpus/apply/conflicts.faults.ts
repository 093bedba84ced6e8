import { answerStatus, forceQuery, removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { applying, itemsOf } from '../matches.ts';
import { misread, remembering } from '../meddling.ts';

const apply = 'patch/apply/apply.ts';

/** When an apply conflicts, with whom, and what force takes from whom. */
export default [
  fault(
    'force=false is taken for force',
    'apply',
    misread({ method: 'PATCH', query: { force: true } }, (query) => query.set('force', 'true')),
  ),
  fault(
    'apply to custom objects always forces',
    'apply',
    forceQuery('force', 'true', { method: 'PATCH', path: /touchstone\.example/, header: { 'content-type': /apply/ } }),
  ),
  fault(
    'a conflict does not say with whom',
    ['errors', 'apply'],
    removeIn('details.causes.*.message', { method: 'PATCH' }),
  ),
  fault(
    'a forced field stays with its former manager',
    'apply',
    remembering(() => {
      const before = new Map<string, Json>();
      return (body, { path, query, method }) => {
        const entries = body.metadata?.managedFields;
        if (method !== 'PATCH' || !entries) return body;
        const known = before.get(path);
        before.set(path, entries);
        if (query.get('force') !== 'true' || !known) return body;
        const mine = entries.filter((entry: Json) => entry.manager === query.get('fieldManager'));
        const theirs = known.filter((entry: Json) => entry.manager !== query.get('fieldManager'));
        return { ...body, metadata: { ...body.metadata, managedFields: [...theirs, ...mine] } };
      };
    }),
  ),
  fault(
    'an apply takes what it needs by force',
    ['apply', 'params'],
    forceQuery('force', 'true', { method: 'PATCH', header: { 'content-type': /apply/ } }),
  ),
  fault(
    'an apply to a ClusterRole never conflicts',
    ['apply', 'errors'],
    forceQuery('force', 'true', {
      method: 'PATCH',
      path: itemsOf('clusterroles'),
      header: { 'content-type': /apply/ },
    }),
  ),
  fault(
    'a conflict of an apply to a slice is 422',
    ['apply', 'errors'],
    answerStatus(422, {
      method: 'PATCH',
      path: itemsOf('endpointslices'),
      header: { 'content-type': /apply/ },
      instead: 409,
    }),
  ),
  fault(
    'an apply to a status never conflicts',
    ['apply', 'errors'],
    forceQuery('force', 'true', { method: 'PATCH', path: /\/status$/, header: applying }),
  ),
  slip(
    'who applies the same fields as last time needs no force',
    ['apply', 'errors'],
    apply,
    'yield* takeFields(managers, identity, changes, request);',
    'yield* takeFields(managers, identity, changes, last && !leftOut ? { ...request, force: true } : request);',
  ),
  slip(
    'force takes all that somebody owns who owns something that it takes',
    ['apply'],
    apply,
    'left.set(manager, affected ? fieldsLeft(manager, changes) : fields);',
    'left.set(manager, isEmptySet(lost) ? (affected ? fieldsLeft(manager, changes) : fields) : noFields);',
  ),
  slip(
    'what an apply makes its own by force stays with those who applied it',
    ['apply'],
    apply,
    'if (fields !== manager.fields) setFields(managers, identity, manager, fields);',
    "if (fields !== manager.fields && !(request.force && manager.operation === 'Apply')) setFields(managers, identity, manager, fields);",
  ),
  slip(
    'a conflict with several names one of them',
    ['apply', 'errors'],
    apply,
    'const open = request.force ? [] : unresolved(conflicts, request);',
    'const open = request.force ? [] : unresolved(conflicts, request).slice(0, 1);',
  ),
  slip(
    'who has forced a conflict does not own the field',
    ['apply'],
    apply,
    'if (isEmptySet(fields)) managers.delete(identity);\n  if (managers.size',
    'if (isEmptySet(fields) || (request.force && !last && live)) managers.delete(identity);\n  if (managers.size',
  ),
  slip(
    'force takes from one of those in conflict alone',
    ['apply'],
    apply,
    '    left.set(manager, affected ? fieldsLeft(manager, changes) : fields);',
    '    left.set(manager, affected && conflicts.length < 2 ? fieldsLeft(manager, changes) : fields);',
  ),
  slip(
    'force leaves the field with those who have updated it',
    ['apply'],
    apply,
    'if (fields !== manager.fields) setFields(managers, identity, manager, fields);',
    "if (fields !== manager.fields && !(request.force && manager.operation === 'Update')) setFields(managers, identity, manager, fields);",
  ),
  slip(
    'force passes without apply',
    ['params', 'apply'],
    'registry/options.ts',
    "if (force !== undefined && !apply) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));",
    '',
  ),
  slip(
    'force does not take fields from those who updated them',
    ['apply'],
    'patch/apply/apply.ts',
    'left.set(manager, affected ?',
    "left.set(manager, affected && !(request.force && manager.operation === 'Update') ?",
  ),
  slip(
    'what was set through a subresource is free to those who apply',
    ['apply', 'verbs'],
    'patch/apply/apply.ts',
    'if (!isEmptySet(lost)) conflicts.push(',
    "if (!isEmptySet(lost) && manager.subresource === '') conflicts.push(",
  ),
  slip(
    'who applies through a subresource is never in conflict with others who did so',
    ['apply'],
    'patch/apply/apply.ts',
    'if (identity === applying) continue;',
    "if (identity === applying || (request.subresource && manager.subresource && manager.operation === 'Apply')) continue;",
  ),
  fault(
    'force is not heeded beside fieldValidation',
    ['apply', 'params', 'fields'],
    misread({ method: 'PATCH', query: { force: true, fieldValidation: true } }, (query) => query.delete('force')),
  ),
  slip(
    'a forced apply takes a field over and leaves it with its earlier managers as well',
    ['apply'],
    apply,
    'left.set(manager, affected ? fieldsLeft(manager, changes) : fields);',
    'left.set(manager, affected && !request.force ? fieldsLeft(manager, changes) : fields);',
  ),
  slip(
    'a forced apply takes from others what they agree on as well',
    ['apply'],
    'patch/apply/apply.ts',
    'left.set(manager, affected ? fieldsLeft(manager, changes) : fields);',
    `const rest = affected ? fieldsLeft(manager, changes) : fields;
    left.set(manager, request.force ? difference(rest, managers.get(applying)?.fields ?? noFields) : rest);`,
  ),
  slip(
    'an apply does not conflict with a manager that wrote the field through a subresource',
    ['apply'],
    'patch/apply/apply.ts',
    'if (!isEmptySet(lost)) conflicts.push',
    'if (!isEmptySet(lost) && manager.subresource === request.subresource) conflicts.push',
  ),
  slip(
    'kubectl is in conflict with what it applied itself before it did so on the server',
    ['apply'],
    'patch/apply/apply.ts',
    'if (conflicts.length === 0 || manager !== kubectl || !live) return conflicts;',
    'if (conflicts.length >= 0) return conflicts;',
  ),
  slip(
    'who applies is not in conflict with what he updated under the same name',
    ['apply'],
    'patch/apply/apply.ts',
    'if (!isEmptySet(lost)) conflicts.push',
    'if (!isEmptySet(lost) && manager.name !== request.manager) conflicts.push',
  ),
  slip(
    'a forced apply to a subresource leaves with others what it takes',
    ['apply'],
    'patch/apply/apply.ts',
    'const affected = changes && !(isEmptySet(lost) && isEmptySet(changes.removed));',
    'const affected = changes && !(isEmptySet(lost) && isEmptySet(changes.removed)) && !request.subresource;',
  ),
  slip(
    'an apply to an autoscaler never conflicts',
    ['apply'],
    'registry/apply.ts',
    'const { force } = options;',
    "const force = options.force || resource.plural === 'horizontalpodautoscalers';",
  ),
  slip(
    'an apply to a status takes over fields without being forced',
    ['apply'],
    'registry/apply.ts',
    'const { force } = options;',
    "const force = options.force || call.subresource === 'status';",
  ),
  slip(
    'kubectl may change what others have changed since it applied on its own side',
    ['apply'],
    'patch/apply/last-applied.ts',
    'return [added, modified, removed].reduce(difference, fieldSetOf(config, structure));',
    'void [added, modified, removed, difference];\n    return fieldSetOf(config, structure);',
  ),
  slip(
    'who applies may change what kubectl applied on its own side, whoever it is',
    ['apply'],
    'patch/apply/apply.ts',
    'if (conflicts.length === 0 || manager !== kubectl || !live) return conflicts;',
    'void manager;\n  if (conflicts.length === 0 || !live) return conflicts;',
  ),
  slip(
    'a conflict within a list does not tell of which element',
    ['errors'],
    'patch/apply/path-element.ts',
    '  const keys = parse(rest) as { [key: string]: Json };\n',
    "  if (element[0] === 'k') return '[]';\n  const keys = parse(rest) as { [key: string]: Json };\n",
  ),
];
