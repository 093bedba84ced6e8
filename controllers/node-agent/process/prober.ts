import { type Clock, pause } from '../../runtime/clock.ts';
import type { Container } from './fields.ts';
import { type Asker, ask, type Probe } from './probe.ts';

export interface ProberParts {
  readonly probes: Pick<Container, 'startupProbe' | 'livenessProbe' | 'readinessProbe'>;
  readonly asker: Asker;
  readonly clock: Clock;
  /** Milliseconds that the container has to stop, unless its probe says otherwise. */
  readonly grace: number;
  readonly say: (reason: string, message: string) => void;
  readonly hasStarted: () => void;
  readonly isReady: (ready: boolean) => void;
  /** Ends the container, which failed for good. @param grace milliseconds */
  readonly end: (grace: number) => Promise<void>;
}

/** Asks the probes of one container while it runs: whether it has started, then whether it lives and is ready. */
export class Prober {
  readonly #parts: ProberParts;

  constructor(parts: ProberParts) {
    this.#parts = parts;
  }

  async run(over: AbortSignal): Promise<void> {
    const { probes, hasStarted, isReady } = this.#parts;
    const { startupProbe, livenessProbe, readinessProbe } = probes;
    if (startupProbe && !(await this.#repeat(startupProbe, over, { until: true, isVital: true }))) return;
    if (over.aborted) return;
    hasStarted();
    if (livenessProbe) void this.#repeat(livenessProbe, over, { isVital: true });
    if (readinessProbe) void this.#repeat(readinessProbe, over, { told: isReady });
  }

  /** Resolves true after the first success, if it is asked `until` then; else when it is over, or has failed for good. */
  async #repeat(
    probe: Probe,
    over: AbortSignal,
    { until = false, isVital = false, told }: Repetition,
  ): Promise<boolean> {
    const { clock, asker } = this.#parts;
    await pause(clock, (probe.initialDelaySeconds ?? 0) * 1000, over);
    let [well, ill] = [0, 0];
    while (!over.aborted) {
      const problem = await ask(probe, asker);
      if (over.aborted) break;
      [well, ill] = problem === undefined ? [well + 1, 0] : [0, ill + 1];
      if (well >= (probe.successThreshold ?? 1)) {
        told?.(true);
        if (until) return true;
      }
      if (ill >= (probe.failureThreshold ?? 3)) {
        told?.(false);
        if (await this.#failed(probe, problem, isVital)) return false;
      }
      await pause(clock, (probe.periodSeconds ?? 10) * 1000, over);
    }
    return false;
  }

  async #failed(probe: Probe, problem: string | undefined, isVital: boolean): Promise<boolean> {
    const { grace, say, end } = this.#parts;
    say('Unhealthy', `probe failed: ${problem}`);
    const { terminationGracePeriodSeconds: seconds } = probe;
    if (isVital) await end(seconds === undefined ? grace : seconds * 1000);
    return isVital;
  }
}

interface Repetition {
  readonly until?: boolean;
  /** Failing for good ends the container. */
  readonly isVital?: boolean;
  readonly told?: (well: boolean) => void;
}
