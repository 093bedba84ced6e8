import type { Observation } from '../play/observation.ts';

/** What a server chooses stands in these: it gets names, by which later answers are told apart. */
const chosen = ['"uid"', '"resourceVersion"'];

/**
 * Whether two answers have the same JSON, byte for byte, and nothing in it of which later answers may speak: refusals do,
 * mostly. There is no need to read it then.
 */
export function haveSameBody(one: Observation, other: Observation): boolean {
  if (one.step.watch || one.status === 0 || one.status !== other.status) return false;
  const type = one.headers['content-type'];
  if (!type?.includes('json') || type !== other.headers['content-type'] || !one.bytes.equals(other.bytes)) return false;
  return !chosen.some((member) => one.bytes.includes(member));
}
