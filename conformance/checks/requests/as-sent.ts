import type { Json } from '../../verbs/json.ts';
import type { KindName } from '../../verbs/kinds.ts';

/** Members that a server fills in where they are left out, of kinds that it keeps as they were sent in all else. */
const filled: Partial<Record<KindName, readonly string[]>> = {
  endpointSlices: ['conditions', 'name', 'protocol'],
  ingresses: ['ingressClassName', 'port'],
};

const isEmpty = (value: Json): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Paths at which something is lost, added or another than was sent; what is empty may be left out. */
function differences(sent: Json, told: Json, mayFill: readonly string[], path: string): string[] {
  if (isEmpty(sent)) return isEmpty(told) ? [] : [path];
  if (typeof sent !== 'object') return sent === told ? [] : [path];
  if (told === null || typeof told !== 'object' || Array.isArray(sent) !== Array.isArray(told)) return [path];
  const keys = new Set([...Object.keys(sent), ...Object.keys(told)]);
  return [...keys].flatMap((key) =>
    isEmpty(sent[key]) && mayFill.includes(key) ? [] : differences(sent[key], told[key], mayFill, `${path}.${key}`),
  );
}

/** Paths at which something that was sent is lost, or another. */
function losses(sent: Json, told: Json, path: string): string[] {
  if (isEmpty(sent)) return [];
  if (typeof sent !== 'object') return sent === told ? [] : [path];
  if (told === null || typeof told !== 'object' || Array.isArray(sent) !== Array.isArray(told)) return [path];
  return Object.keys(sent).flatMap((key) => losses(sent[key], told[key], `${path}.${key}`));
}

const besides = ['metadata', 'status', 'apiVersion', 'kind'];

/** Where an object is not told as it was sent, apart from its metadata, its status, and what its kind has defaults for. */
export function toldOtherwise(kind: KindName, sent: Json, told: Json): readonly string[] {
  const mayFill = filled[kind];
  const members = Object.keys(sent).filter((member) => !besides.includes(member));
  if (!mayFill) return members.flatMap((member) => losses(sent[member], told[member], member));
  return ['spec', 'addressType', 'endpoints', 'ports'].flatMap((member) =>
    differences(sent[member], told[member], mayFill, member),
  );
}
