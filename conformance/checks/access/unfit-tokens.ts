import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { ofOtherTypes, postsWhatBelongs } from '../requests/astray.ts';

/** No token is bound to what there is not or to what tokens are not bound to, nor made out for another account. */
export async function refusesBounds(context: RuleContext, account: Json): Promise<void> {
  const { serviceAccounts, secrets, expect } = context;
  const { metadata } = await secrets.create();
  const secret = { apiVersion: 'v1', kind: 'Secret', name: metadata.name, uid: metadata.uid };
  const bound = (more: Json): Json => ({ spec: { boundObjectRef: { ...secret, ...more } } });
  const requests: Readonly<Record<string, readonly [request: Json, status: number]>> = {
    'a Secret that is there': [bound({}), 201],
    'a Secret by another uid': [bound({ uid: '00000000-0000-0000-0000-000000000000' }), 409],
    'a Secret that is not there': [bound({ name: 'none', uid: undefined }), 404],
    'a Secret without a name': [bound({ name: '', uid: undefined }), 400],
    'a ConfigMap': [bound({ kind: 'ConfigMap' }), 400],
    'a Secret of another group': [bound({ apiVersion: 'example.com/v1' }), 400],
  };
  const ask = (name: string, request: Json) =>
    serviceAccounts.postTo(name, 'token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', ...request });
  for (const [what, [request, status]] of Object.entries(requests)) {
    const answer = await ask(account.name, request);
    expect(answer.status, `a token for ${what}: ${said(answer)}`).toBe(status);
    if (status !== 201) expect(answer.body?.status?.token, `a token for ${what}`).toBeUndefined();
  }
  await postsWhatBelongs(expect, 'a request for a token', (other) => ask(account.name, other), ofOtherTypes);
  expect((await ask('none', {})).status, 'a token of an account that is not there').toBe(404);
  const elsewhere = await ask(account.name, { metadata: { name: account.name, namespace: 'default' } });
  expect([400, 422], 'a token for an account of another namespace').toContain(elsewhere.status);
}
