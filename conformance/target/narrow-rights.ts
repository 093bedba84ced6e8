import type { Send } from '../verbs/client.ts';

const body = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: '*', group: '*', resource: '*' } },
};

/** Whether the caller may not do everything, by the server's own account: one that gives none is judged as for administrators. */
export async function isNarrow(send: Send): Promise<boolean> {
  const review = await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { body }).catch(
    () => undefined,
  );
  return review?.status === 201 && review.body?.status?.allowed === false;
}
