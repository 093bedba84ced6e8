import { badRequest, methodNotAllowed } from '../base/status-error.ts';
import { readBody } from '../request/body.ts';
import type { Answer } from '../request/respond.ts';
import type { PathHandler } from '../request/services.ts';
import { type Fault, FaultError } from './fault.ts';
import type { Faults } from './faults.ts';

/**
 * Faults over HTTP, for every language: GET tells what waits and what was done, POST (one fault, or a list) asks for more,
 * DELETE takes back what has not happened. Answers JSON.
 */
export const faultsEndpoint =
  (faults: Faults): PathHandler =>
  async (exchange) => {
    switch (exchange.info.method) {
      case 'GET':
        return json(200, faults);
      case 'POST':
        await injectAll(faults, (await readBody(exchange)).toString());
        return json(201, faults);
      case 'DELETE':
        faults.clear();
        return json(200, faults);
      default:
        throw methodNotAllowed();
    }
  };

const json = (code: number, { waiting, log }: Faults): Answer => ({
  code,
  contentType: 'application/json',
  body: `${JSON.stringify({ waiting, log })}\n`,
});

/** @throws 400 */
async function injectAll(faults: Faults, text: string): Promise<void> {
  try {
    for (const fault of [JSON.parse(text)].flat()) await faults.inject(fault as Fault);
  } catch (error) {
    if (error instanceof FaultError || error instanceof SyntaxError) throw badRequest(error.message);
    throw error;
  }
}
