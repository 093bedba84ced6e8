import { describe, expect, it } from 'vitest';
import { denyByExpression } from './deny-by-expression.ts';
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
