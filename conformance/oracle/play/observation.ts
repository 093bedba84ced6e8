import type { StreamEvent } from '../compare/content.ts';
import type { Step } from './scenario.ts';

/** What a step was answered, as it came. */
export interface Observation {
  readonly step: Step;
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly bytes: Buffer;
  /** Of a watch: what counts of it, where that is not all that stands in the bytes. */
  readonly events?: readonly StreamEvent[];
  /** Why there was no answer. */
  readonly failure?: string;
  /** Of a watch: whether the server ended it. */
  readonly ended?: boolean;
}
