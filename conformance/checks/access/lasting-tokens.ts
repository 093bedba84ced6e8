import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

/** Seconds: the least that may be asked for, as many as clients ask for who mount a token in a pod, and nothing said. */
const asked = [600, 3607, undefined] as const;
const byDefault = 3600;

/** Servers may let no token last longer than some time, which is an hour at least. */
const leastLimit = 3600;

interface TokenBound {
  readonly what: string;
  readonly boundObjectRef?: Json;
  readonly audiences?: readonly string[];
}

const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8') || '{}');

/**
 * A token ends when it was asked to. Only one by which a pod comes to this server may last longer, since there are clients
 * in pods that do not renew it.
 */
export async function lastAsAsked(context: RuleContext, account: string, ofPod: Json): Promise<void> {
  const { serviceAccounts, secrets, expect } = context;
  const { name } = (await secrets.create()).metadata;
  const bounds: readonly TokenBound[] = [
    { what: 'nothing' },
    { what: 'a Secret', boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name } },
    { what: 'a pod, for others', boundObjectRef: ofPod, audiences: ['one.touchstone.example'] },
  ];
  for (const { what, ...bound } of bounds)
    for (const expirationSeconds of asked) {
      const spec = { ...bound, expirationSeconds };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
      const answered = await serviceAccounts.postTo(account, 'token', request);
      expect(answered.status, said(answered)).toBe(201);
      const { exp, iat } = claimsOf(answered.body.status.token);
      const lasting = expirationSeconds ?? byDefault;
      const told = `a token for ${expirationSeconds ?? 'no'} s, bound to ${what}`;
      expect(exp - iat, told).toBeLessThanOrEqual(lasting);
      expect(exp - iat, told).toBeGreaterThanOrEqual(Math.min(lasting, leastLimit));
      // The answer may look at the clock before the token is made.
      const end = Date.parse(answered.body.status.expirationTimestamp) / 1000;
      expect(end, `the end that is told of ${told}`).toBeLessThanOrEqual(exp);
      expect(end, `the end that is told of ${told}`).toBeGreaterThan(exp - 60);
    }
}
