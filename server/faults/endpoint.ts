import { badRequest, methodNotAllowed } from '../base/status-error.ts';
import type { Answer } from '../request/answer/respond.ts';
import { readBody } from '../request/body.ts';
import type { PathHandler } from '../request/services.ts';
import { type Fault, FaultError } from './fault.ts';
import type { Faults } from './faults.ts';
import { cuesOf, isScenario, readYaml, type Scenario } from './scenario.ts';

/**
 * Faults over HTTP, for every language: GET tells what waits and what was done, POST (one fault, a list, or a scenario, as
 * JSON or YAML) asks for more, DELETE takes back what has not happened. Answers JSON.
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

const json = (code: number, { waiting, steps, log }: Faults): Answer => ({
  code,
  contentType: 'application/json',
  body: `${JSON.stringify({ waiting, steps, log })}\n`,
});

/** @throws 400 */
async function injectAll(faults: Faults, text: string): Promise<void> {
  try {
    const given = readYaml(text);
    if (isScenario(given)) begin(faults, given as Scenario);
    else for (const fault of [given].flat()) await faults.inject(fault as Fault);
  } catch (error) {
    if (error instanceof FaultError) throw badRequest(error.message);
    throw error;
  }
}

/** It plays on after the answer; what is wrong with it is known before. @throws FaultError */
function begin(faults: Faults, scenario: Scenario): void {
  cuesOf(scenario);
  faults.play(scenario).catch((error: unknown) => process.emitWarning(`the scenario has ended: ${error}`));
}
