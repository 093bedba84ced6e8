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
    if (startupProbe && !(await this.#repeat(startupProbe, over, { name: 'Startup', until: true, isVital: true })))
      return;
    if (over.aborted) return;
    hasStarted();
    if (livenessProbe) void this.#repeat(livenessProbe, over, { name: 'Liveness', isVital: true });
    if (readinessProbe) void this.#repeat(readinessProbe, over, { name: 'Readiness', told: isReady });
  }

  /** Resolves true after the first success, if it is asked `until` then; else when it is over, or has failed for good. */
  async #repeat(
    probe: Probe,
    over: AbortSignal,
    { name, until = false, isVital = false, told }: Repetition,
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
        this.#parts.say('Unhealthy', `${name} probe failed: ${problem}`);
        if (isVital) return this.#end(probe);
      }
      await pause(clock, (probe.periodSeconds ?? 10) * 1000, over);
    }
    return false;
  }

  async #end({ terminationGracePeriodSeconds: seconds }: Probe): Promise<false> {
    const { grace, end } = this.#parts;
    await end(seconds === undefined ? grace : seconds * 1000);
    return false;
  }
}

interface Repetition {
  /** What people know the probe by. */
  readonly name: string;
  readonly until?: boolean;
  /** Failing for good ends the container. */
  readonly isVital?: boolean;
  readonly told?: (well: boolean) => void;
}
