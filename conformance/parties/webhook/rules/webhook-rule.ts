import { implied, type PartyRule } from '../../party.ts';
import type { WebhookContext } from '../context.ts';

/** A rule of webhooks that follows from these of the catalogue. */
export const webhookRule = (
  name: string,
  statement: string,
  from: readonly string[],
  fault: string | readonly string[],
  check: (context: WebhookContext) => Promise<void>,
  level: 'must' | 'should' = 'must',
): PartyRule<WebhookContext> => implied(`webhook.${name}`, { statement, from, level }, { fault, check });
