import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import type { SubresourceDocument } from '../strategy.ts';
import { scale as builtIn, customScale } from './scale.ts';

const paths = { specReplicas: '.spec.size', statusReplicas: '.status.size', selector: '.status.selector' };
const scale = builtIn.document as SubresourceDocument;
const custom = customScale(paths).document as SubresourceDocument;
const thing = (fields: object = {}): KubeObject => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name: 'x' },
  ...fields,
});
const wanting = (replicas: unknown): KubeObject => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 'x', resourceVersion: '7' },
  spec: { replicas },
});
const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error.status.code;
    throw error;
  }
  return undefined;
};

describe('the scale of an object', () => {
  it('shows its number and whom it counts', () => {
    const spec = {
      replicas: 3,
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [
          { key: 'c', operator: 'In', values: ['y', 'x'] },
          { key: 'd', operator: 'DoesNotExist' },
        ],
      },
    };
    const object = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', uid: 'u' },
      spec,
      status: { replicas: 2 },
    };
    expect(scale.read(object)).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', uid: 'u' },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'a=1,b=2,c in (x,y),!d' },
    });
  });

  it('of a custom kind is where its definition says', () => {
    const object = thing({ spec: { size: 4 }, status: { size: 1, selector: 'a=b' } });
    expect(custom.read(object)).toMatchObject({ spec: { replicas: 4 }, status: { replicas: 1, selector: 'a=b' } });
    expect(codeOf(() => custom.read(thing()))).toBe(500);
    expect(custom.show(thing())).toMatchObject({ spec: {}, status: { replicas: 0 } });
  });

  it('is put back where it belongs, and what is missing on the way is made', () => {
    const object = thing();
    custom.put(object, wanting(5));
    expect(object).toMatchObject({ spec: { size: 5 }, metadata: { resourceVersion: '7' } });
  });

  it('is no negative number', () => {
    expect(codeOf(() => scale.put(thing(), wanting(-1)))).toBe(422);
    expect(codeOf(() => custom.put(thing(), wanting(-1)))).toBeUndefined();
  });
});
