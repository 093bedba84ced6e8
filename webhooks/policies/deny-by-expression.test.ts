import { describe, expect, it } from 'vitest';
import { denyByExpression } from './deny-by-expression.ts';
import { policies } from './index.ts';
import { reviewOf } from './review.fixture.ts';

const policy = (denyIf: string) => denyByExpression({ name: 'p', rules: [], denyIf, message: 'no' });

describe('an expression', () => {
  it.each([
    ['object.spec.replicas > 3', { spec: { replicas: 4 } }, false],
    ['object.spec.replicas > 3', { spec: { replicas: 3 } }, true],
    ['has(object.spec.replicas) && object.spec.replicas > 3', { spec: {} }, true],
    ['object.images.exists(i, i.startsWith("evil/"))', { images: ['good/a', 'evil/b'] }, false],
    ['request.operation == "CREATE" && oldObject == null', {}, false],
  ])('%s judges %j', (denyIf, object, allowed) => {
    expect(policy(denyIf).decide(reviewOf(object))).toMatchObject({
      allowed,
      ...(!allowed && { status: { message: 'no' } }),
    });
  });

  it.each(['object.missing.field', '"text"'])('%s that decides nothing fails the call', (denyIf) => {
    expect(() => policy(denyIf).decide(reviewOf({}))).toThrow(denyIf);
  });

  it('that does not parse is refused at the start', () => expect(() => policy('object.(')).toThrow());
});

describe('the limit of replicas', () => {
  const limit = policies.find(({ name }) => name === 'replica-limit');
  const of = (replicas?: number) => ({ spec: { replicas } });

  it.each([
    ['is of a new one', of(21), null, false],
    ['lets fewer pass', of(20), null, true],
    ['is of who raises it', of(22), of(21), false],
    ['lets what had more before change otherwise', of(21), of(21), true],
    ['lets it go down', of(30), of(40), true],
    ['lets pass what says nothing', { spec: {} }, of(30), true],
  ])('%s', (_, object, before, allowed) => {
    const written = JSON.parse(JSON.stringify([object, before]));
    expect(limit?.decide(reviewOf(written[0], written[1]))).toMatchObject({ allowed });
  });

  it('is of all that has replicas, also by way of its scale', () => {
    const resources = limit?.rules.flatMap((rule) => rule.resources);
    expect(resources).toEqual(expect.arrayContaining(['replicasets', 'replicasets/scale', 'replicationcontrollers']));
  });
});
