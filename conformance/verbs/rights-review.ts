import type { Answer, Send, SendOptions } from './client.ts';
import type { Json } from './json.ts';

/** Asks a server by a review of this kind what somebody may do. */
export const reviewed = (send: Send, kind: string, spec: Json, options: SendOptions = {}): Promise<Answer> =>
  send('POST', `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, {
    ...options,
    body: { apiVersion: 'authorization.k8s.io/v1', kind, spec },
  });
