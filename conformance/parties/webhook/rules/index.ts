import type { PartyRule } from '../../party.ts';
import type { WebhookContext } from '../context.ts';
import { answerRules } from './answers.ts';
import { bearingRules } from './bearing.ts';
import { serverRules } from './server.ts';

/** In the order of reports. */
export const webhookRules: readonly PartyRule<WebhookContext>[] = [...answerRules, ...bearingRules, ...serverRules];
