import { duplicate, type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { qualifiedName } from '../../base/names.ts';
import { csiDriverName } from '../core/volume/csi.ts';
import { emptyListsAreNull } from '../empty-lists.ts';
import { eachOf, nonNegative } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, nameColumn } from '../table-cells.ts';

interface Driver {
  name?: string;
  nodeID?: string;
  topologyKeys?: string[] | null;
  allocatable?: { count?: number };
}

interface CsiNode extends KubeObject {
  spec?: { drivers?: Driver[] | null };
}

const at = FieldPath.of('spec', 'drivers');
const nodeIdBytes = 256;

function validateDriver({ name, nodeID = '', topologyKeys, allocatable }: Driver, here: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return [
    ...csiDriverName(name, here.child('name')),
    ...(nodeID === '' ? [required(here.child('nodeID'))] : []),
    ...(Buffer.byteLength(nodeID) > nodeIdBytes
      ? [invalidValue(here.child('nodeID'), nodeID, `must be at most ${nodeIdBytes} bytes`)]
      : []),
    ...nonNegative(allocatable?.count, here.child('allocatable').child('count')),
    ...(topologyKeys ?? []).flatMap((key) => {
      const twice = keys.has(key);
      keys.add(key);
      return [
        ...(key === '' ? [required(here, 'a topology key may not be empty')] : []),
        ...(twice ? [duplicate(here, key)] : []),
        ...qualifiedName(key).map((problem) => invalidValue(here, key, problem)),
      ];
    }),
  ];
}

function validate({ spec }: CsiNode): FieldError[] {
  const names = new Set<string>();
  return eachOf(spec?.drivers, at, (driver, here) => {
    const { name = '' } = driver;
    const twice = names.has(name);
    names.add(name);
    return [...validateDriver(driver, here), ...(twice ? [duplicate(here.child('name'), name)] : [])];
  });
}

/** What a driver says of a node stands as long as the driver does. */
function validateUpdate(next: CsiNode, previous: CsiNode): FieldError[] {
  const before = new Map((previous.spec?.drivers ?? []).map((driver) => [driver.name, driver]));
  return (next.spec?.drivers ?? []).flatMap((driver) => {
    const old = before.get(driver.name);
    return !old || sameValue(old, driver) ? [] : [invalidValue('CSINodeDriver', driver, 'field is immutable')];
  });
}

function nothingIsNull({ spec }: CsiNode): void {
  for (const driver of spec?.drivers ?? []) emptyListsAreNull(driver, ['topologyKeys']);
  emptyListsAreNull(spec, ['drivers']);
}

export const csiNode = defineKind<CsiNode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  resource: 'csinodes',
  deleteAnswersObject: true,
  unconditionalUpdate: false,
  // Keys are told of every driver, so who writes it owns them.
  default({ spec }) {
    for (const driver of spec?.drivers ?? []) driver.topologyKeys ??= [];
  },
  withEmptyLists: nothingIsNull,
  validate,
  validateUpdate,
  table: {
    columns: [nameColumn, { name: 'Drivers', type: 'integer' }, ageColumn],
    cells: (object, now) => [object.metadata.name, (object.spec?.drivers ?? []).length, age(object, now)],
  },
});
