import type { Send } from '../verbs/client.ts';
import { reviewed } from '../verbs/rights-review.ts';

const everything = { resourceAttributes: { verb: '*', group: '*', resource: '*' } };

/** Whether the caller may not do everything, by the server's own account: one that gives none is judged as for administrators. */
export async function isNarrow(send: Send): Promise<boolean> {
  const review = await reviewed(send, 'SelfSubjectAccessReview', everything).catch(() => undefined);
  return review?.status === 201 && review.body?.status?.allowed === false;
}
