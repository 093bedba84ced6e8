import type { Answer } from './answer/respond.ts';
import type { Exchange } from './exchange.ts';
import type { RequestServices } from './services.ts';

/** One step in the life of a request: passes by returning, answers by returning an answer, refuses by throwing. */
export type Stage = (
  exchange: Exchange,
  services: RequestServices,
) => Promise<Answer | 'sent' | undefined> | Answer | 'sent' | undefined;
