import type { Answer, Send } from '../verbs/client.ts';
import { reviewed } from '../verbs/rights-review.ts';

/** How somebody in front of a server answers every write. */
export interface Refusal {
  readonly status: number;
  readonly said: string;
}

const codes: readonly number[] = [403, 405];
const everything = { resourceAttributes: { verb: '*', group: '*', resource: '*' } };
/** It has no name: a server that rehearses nothing would keep one that had. */
const unfit = { apiVersion: 'v1', kind: 'Namespace', metadata: {} };

export const refusalIn = ({ status, body, text }: Answer): Refusal => ({
  status,
  said: (typeof body?.message === 'string' ? body.message : text).slice(0, 200),
});

/**
 * How every write is refused, as by a gateway that permits reads only: in the same words a question, which any caller
 * may ask, and a rehearsal of what cannot be stored. Undefined where they are not.
 */
export async function writesRefused(send: Send): Promise<Refusal | undefined> {
  const question = await refusalOf(reviewed(send, 'SelfSubjectAccessReview', everything));
  if (!question) return undefined;
  const rehearsal = await refusalOf(send('POST', '/api/v1/namespaces', { query: { dryRun: 'All' }, body: unfit }));
  return question.status === rehearsal?.status && question.said === rehearsal.said ? question : undefined;
}

async function refusalOf(asked: Promise<Answer>): Promise<Refusal | undefined> {
  const answer = await asked.catch(() => undefined);
  return answer && codes.includes(answer.status) ? refusalIn(answer) : undefined;
}
