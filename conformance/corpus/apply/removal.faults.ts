import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { recalling } from '../meddling.ts';

const merge = 'patch/apply/merge.ts';
const apply = 'patch/apply/apply.ts';

/** The annotations that a manager has ever applied. */
const clinging = recalling(() => {
  const applied = new Map<string, Json>();
  return (body, { headers, path, query }) => {
    if (!String(headers['content-type']).includes('apply-patch')) return body;
    const key = `${path} ${query.get('fieldManager')}`;
    const annotations = { ...applied.get(key), ...body.metadata?.annotations };
    applied.set(key, annotations);
    return Object.keys(annotations).length === 0 ? body : { ...body, metadata: { ...body.metadata, annotations } };
  };
});

/** What an apply takes away because its manager leaves it out. */
export default [
  fault('apply never removes annotations', ['apply', 'meta'], clinging),
  slip(
    'an apply that leaves a map out altogether keeps what is in it',
    ['apply'],
    merge,
    'if (holds(was, declared) && !holds(is, declared)) delete value[name];',
    "if (holds(was, declared) && !holds(is, declared) && (typeof member !== 'object' || was.owned)) delete value[name];\n    else if (!holds(is, declared)) continue;",
  ),
  slip(
    'an apply that gives fewer entries of a list than there are takes those of others away',
    ['apply'],
    merge,
    'if (Array.isArray(config)) return mergeLists(live, config, structure);',
    'if (Array.isArray(config)) return config.length < live.length ? mergeLists(config, config, structure) : mergeLists(live, config, structure);',
  ),
  slip(
    'apply leaves the elements of keyed lists that it is given no more',
    ['apply'],
    merge,
    'else if (!holds(was, false) || holds(is, false)) left.push(',
    'else left.push(',
  ),
  slip(
    'an element of a set stays when its owner leaves it out',
    ['apply'],
    merge,
    'if (!was) left.push(item);',
    "if (!was || typeof item !== 'object') left.push(item);",
  ),
  slip(
    'fields within an element of a keyed list stay when they are left out',
    ['apply'],
    merge,
    'left.push(pruneBelow(item, structure.items, was, is));',
    'left.push(item);',
  ),
  slip(
    'a number that is left out of an apply stays',
    ['apply'],
    merge,
    'if (holds(was, declared) && !holds(is, declared)) delete',
    "if (holds(was, declared) && !holds(is, declared) && typeof member !== 'number') delete",
  ),
  slip(
    'apply takes away what updates have set as well',
    ['apply'],
    'patch/apply/prune-unowned.ts',
    'Map.groupBy(managers.values(),',
    "Map.groupBy([...managers.values()].filter(({ operation }) => operation !== 'Update'),",
  ),
  slip(
    'what nobody else owns stays when its last owner leaves it out after another did',
    ['apply'],
    apply,
    'if (last && (leftOut ||',
    'if (last && managers.size < 3 && (leftOut ||',
  ),
  slip(
    'apply never takes away what is left out',
    ['apply'],
    apply,
    'if (last && (leftOut || last.apiVersion !== apiVersion))',
    'if (last && last.apiVersion !== apiVersion)',
  ),
  slip(
    'what an apply to a status leaves out stays',
    ['apply'],
    apply,
    'if (last && (leftOut || last.apiVersion !== apiVersion))',
    "if (last && request.subresource !== 'status' && (leftOut || last.apiVersion !== apiVersion))",
  ),
  slip(
    'a part of an object that is left out has no empty form',
    ['apply', 'meta'],
    'patch/apply/typed-value.ts',
    "if (type.type === 'struct') return {};",
    '',
  ),
  slip(
    'an apply to a subresource leaves what it does not say any more',
    ['apply'],
    'patch/apply/apply.ts',
    'if (last && (leftOut ||',
    'if (last && !request.subresource && (leftOut ||',
  ),
  slips(
    'what others own of a status goes when one who applied it leaves it out',
    ['apply'],
    [
      {
        file: 'patch/apply/prune-unowned.ts',
        from: 'function heldByVersion(managers: Managers, { apiVersion: written }: TrackedWrite)',
        to: 'function heldByVersion(managers: Managers, { apiVersion: written, manager: own }: TrackedWrite)',
      },
      {
        file: 'patch/apply/prune-unowned.ts',
        from: 'Map.groupBy(managers.values(),',
        to: 'Map.groupBy([...managers.values()].filter(({ subresource, name }) => !subresource || name === own),',
      },
    ],
  ),
  slip(
    'what is left out of an apply with force goes, whoever else owns it',
    ['apply'],
    'patch/apply/apply.ts',
    'merging = yield* pruneUnowned(merging, last, managers, request);',
    'merging = yield* pruneUnowned(merging, last, request.force ? new Map([[identity, managers.get(identity) as Manager]]) : managers, request);',
  ),
  slip(
    'an apply never takes an element out of a set',
    ['apply'],
    merge,
    'if (!was) left.push(item);',
    "if (!was || structure.listType === 'set') left.push(item);",
  ),
  slip(
    'an apply takes out what its manager leaves out although another manager holds it',
    ['apply'],
    'patch/apply/apply.ts',
    'merging = yield* pruneUnowned(merging, last, managers, request);',
    'merging = yield* pruneUnowned(merging, last, new Map([[identity, applier(request, fields)]]), request);',
  ),
  slip(
    'an element of a set goes though another who applied it holds it',
    ['apply'],
    'patch/apply/merge.ts',
    'holds(is, false)) left',
    "(typeof item === 'object' && holds(is, false))) left",
  ),
  slip(
    'an apply that adds something takes nothing away',
    ['apply'],
    'patch/apply/apply.ts',
    'if (last && (leftOut ||',
    'if (last && ((leftOut && includes(last.fields, named)) ||',
  ),
  slip(
    'who gives up a part of an object takes what others hold in it',
    ['apply'],
    'patch/apply/merge.ts',
    'set.owned || (declared && set.below.size > 0)',
    'set.owned',
  ),
  slip(
    'an apply leaves the empty map from which it took the last entry',
    ['apply'],
    'patch/apply/merge.ts',
    'return Object.keys(left).length > 0 ? left : null;',
    'return left;',
  ),
  slip(
    'an entry given up stays while others hold a part of it',
    'apply',
    'patch/apply/merge.ts',
    'set.owned || (declared && set.below.size > 0)',
    'set.owned || set.below.size > 0',
  ),
];
