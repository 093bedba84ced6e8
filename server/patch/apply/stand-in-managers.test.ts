import { describe, expect, it } from 'vitest';
import type { ManagedFieldsEntry } from '../../base/kube-object.ts';
import { type BehindStandIn, entriesAfterStandIn, entriesOfStandIn } from './stand-in-managers.ts';

const behind: BehindStandIn = {
  apiVersion: 'apps/v1',
  documentVersion: 'autoscaling/v1',
  fieldIn: (apiVersion) => ({ 'apps/v1': '.spec.replicas', 'apps/v0': '' })[apiVersion],
};
const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  fieldsV1: object,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: fieldsV1 as never,
  ...more,
});
const number = { 'f:spec': { 'f:replicas': {} } };
const both = { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } };
const paused = { 'f:spec': { 'f:paused': {} } };
const time = '2026-01-01T00:00:00Z';
const ofScale = { apiVersion: 'autoscaling/v1', subresource: 'scale' };

describe('the entries of a Scale', () => {
  it('are those of whoever owns the number, and tell of nothing else', () => {
    const entries = [entry('a', 'Apply', both, { time }), entry('b', 'Update', paused), entry('c', 'Update', number)];
    expect(entriesOfStandIn(entries, behind)).toEqual([
      entry('a', 'Apply', number, { apiVersion: 'autoscaling/v1', time }),
      entry('c', 'Update', number, { apiVersion: 'autoscaling/v1' }),
    ]);
  });

  it('are none where a version has no number or is not served', () => {
    const entries = [
      entry('a', 'Update', number, { apiVersion: 'apps/v0' }),
      entry('b', 'Update', number, { apiVersion: 'x/v1' }),
    ];
    expect(entriesOfStandIn(entries, behind)).toEqual([]);
  });
});

describe('the entries of an object after a write to its Scale', () => {
  it('keep an applier who still owns the number as he was', () => {
    const before = [entry('a', 'Apply', both, { time })];
    expect(entriesAfterStandIn(before, entriesOfStandIn(before, behind), behind)).toEqual(before);
  });

  it('tell an update of the number apart from what its manager set otherwise', () => {
    const before = [entry('a', 'Update', both, { time })];
    expect(entriesAfterStandIn(before, entriesOfStandIn(before, behind), behind)).toEqual([
      entry('a', 'Update', number),
      entry('a', 'Update', paused, { time }),
    ]);
  });

  it('give the number to whoever changed it, without a time', () => {
    const before = [entry('a', 'Apply', both, { time }), entry('b', 'Update', number, { time })];
    const after = [entry('c', 'Update', number, { ...ofScale, time })];
    expect(entriesAfterStandIn(before, after, behind)).toEqual([
      entry('a', 'Apply', paused, { time }),
      entry('c', 'Update', number, { subresource: 'scale' }),
    ]);
  });

  it('lose the number when the Scale tells of no owner', () => {
    expect(entriesAfterStandIn([entry('a', 'Update', both), entry('b', 'Apply', number)], [], behind)).toEqual([
      entry('a', 'Update', paused),
    ]);
  });

  it('keep those of a version without a number and drop those of one that is not served', () => {
    const before = [
      entry('a', 'Update', number, { apiVersion: 'apps/v0' }),
      entry('b', 'Update', both, { apiVersion: 'x/v1' }),
    ];
    expect(entriesAfterStandIn(before, [], behind)).toEqual([before[0]]);
  });
});
