import { apiVersionOf, type Json, type KubeObject, parseApiVersion } from '../base/kube-object.ts';
import type { KindRules } from '../kinds/strategy.ts';
import { checkStructure } from '../schema/check.ts';
import { structureOfKind } from '../schema/load.ts';
import type { StoredForms } from '../store/etcd/value-format.ts';
import { kindPrefix } from '../store/object-keys.ts';

/** What another server has stored becomes what would be stored here: in the version of these kinds, and as it is written. */
export function storedForms(kinds: readonly KindRules[]): StoredForms {
  const byPrefix = new Map(kinds.map((rules) => [kindPrefix(rules), rules]));
  const rulesOf = (key: string) => byPrefix.get(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
  return {
    apiVersionOf(key) {
      const rules = rulesOf(key);
      return rules && apiVersionOf(rules.group, rules.version);
    },
    adopt(key, object) {
      const rules = rulesOf(key);
      return rules ? asWritten(rules, inStorageVersion(rules, object)) : object;
    },
    expect(key, object) {
      const rules = rulesOf(key);
      const structure = rules && structureOfKind(rules.group, rules.version, rules.kind);
      if (structure) checkStructure(object as unknown as Json, structure);
    },
  };
}

/** Versions without a conversion of their own differ in their name alone. */
function inStorageVersion(rules: KindRules, object: KubeObject): KubeObject {
  const wanted = apiVersionOf(rules.group, rules.version);
  if (object.apiVersion === wanted) return object;
  const { version } = parseApiVersion(object.apiVersion);
  const conversion = rules.conversions?.[object.apiVersion] ?? rules.conversions?.[version];
  const converted = conversion ? conversion.toStorage(object) : (rules.storedVersions?.[version]?.(object) ?? object);
  return { ...converted, apiVersion: wanted };
}

/** Protobuf tells of fields that are empty, and leaves out some that are always written; and defaults need not be stored. */
function asWritten(rules: KindRules, object: KubeObject): KubeObject {
  const structure = structureOfKind(rules.group, rules.version, rules.kind);
  if (!structure) return object;
  const written = checkStructure(object as unknown as Json, structure).value as unknown as KubeObject;
  rules.default?.(written);
  rules.withEmptyLists?.(written);
  rules.completeStored?.(written);
  return written;
}
