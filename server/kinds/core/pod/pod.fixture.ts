import { sample, tryCreate } from '../../kind-write.fixture.ts';
import { pod } from './pod.ts';
import type { Pod } from './shape.ts';

/** For tests: pods with one container. */

export const container = { name: 'c', image: 'i:1' };
export const spec = (fields: object = {}) => ({ spec: { containers: [container], ...fields } });
export const withContainer = (fields: object) => spec({ containers: [{ ...container, ...fields }] });
export const created = async (fields: object) => (await tryCreate(pod, sample(pod, fields))).object as Pod;
