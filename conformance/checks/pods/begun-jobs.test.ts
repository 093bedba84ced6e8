import { expect, test } from 'vitest';
import type { SendOptions } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { staysWhereItBegan } from './begun-jobs.ts';

/** What of a change to a job is not about where its pods go. */
const isOther = (parts: Json): boolean => /podAffinity|schedulerName|terminationGrace/.test(JSON.stringify(parts));

/** A server of one job, which goes elsewhere as long as its status lets it. */
function serverOf(version: string, mayGo: (status: Json) => boolean): RuleContext {
  let job: Json = { metadata: { name: 'job' }, spec: { template: { spec: {} } }, status: {} };
  const patch = async (_: string, parts: Json, { sub, query }: SendOptions & { sub?: string; query?: Json } = {}) => {
    if (!sub && (isOther(parts) || !mayGo(job.status))) return { status: 422, body: {}, text: '{}' };
    if (!query?.dryRun) job = merged(job, parts);
    return { status: 200, body: job, text: '' };
  };
  const jobs = { create: async () => job, read: async () => job, patch };
  return { jobs, version, expect } as unknown as RuleContext;
}

const notBegun = ({ startTime }: Json): boolean => startTime === undefined;
const saidToWait = ({ conditions = [] }: Json): boolean => conditions.length > 0;

test.each([
  ['v1.25.0', 'that have not begun', notBegun],
  ['v1.36.0', 'of which it is said that they wait', saidToWait],
  ['v1.36.2', 'that have not begun, or wait', (status: Json) => notBegun(status) || saidToWait(status)],
])('a server of %s lets jobs go elsewhere %s', async (version, _, mayGo) => {
  await expect(staysWhereItBegan(serverOf(version, mayGo))).resolves.toBeUndefined();
});

test.each([
  ['v1.25.0', 'that have begun', saidToWait, 'once it began'],
  ['v1.36.0', 'of which nothing is said alone', (status: Json) => !saidToWait(status), 'before it began'],
])('a server of %s may not let jobs go elsewhere %s', async (version, _, mayGo, words) => {
  await expect(staysWhereItBegan(serverOf(version, mayGo))).rejects.toThrow(words);
});
