import type { Answer, Send } from '../verbs/client.ts';
import { reviewed } from '../verbs/rights-review.ts';

/** How somebody in front of a server answers every write. */
export interface Refusal {
  readonly status: number;
  readonly said: string;
}

const codes: readonly number[] = [403, 405];
const everything = { resourceAttributes: { verb: '*', group: '*', resource: '*' } };
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'touchstone-rehearsed' } };

export const refusalIn = ({ status, body, text }: Answer): Refusal => ({
  status,
  said: (typeof body?.message === 'string' ? body.message : text).slice(0, 200),
});

/**
 * How every write is refused, as by a gateway that permits reads only: in the same words a question, which any caller
 * may ask, and a rehearsal. Undefined where they are not.
 */
export async function writesRefused(send: Send): Promise<Refusal | undefined> {
  const asked = [
    reviewed(send, 'SelfSubjectAccessReview', everything),
    send('POST', '/api/v1/namespaces', { query: { dryRun: 'All' }, body: namespace }),
  ];
  const [question, rehearsal] = (await Promise.all(asked).catch(() => [])).map(refusalIn);
  if (!question || question.status !== rehearsal?.status || question.said !== rehearsal.said) return undefined;
  return codes.includes(question.status) ? question : undefined;
}
