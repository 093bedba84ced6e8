/** One command line flag as data: the table of flags, its documentation and its parsing are made from these. */
export interface Flag {
  /** Without the two dashes. The option it sets is the same in camel case. */
  readonly name: string;
  /** `int` is a whole number, `number` any, `duration` a text such as `2m0s` (milliseconds once parsed), `strings` may be repeated and holds comma-separated lists. */
  readonly type: 'string' | 'boolean' | 'int' | 'number' | 'duration' | 'strings';
  /** Whether a value of `strings` is taken whole, commas and all. */
  readonly whole?: boolean;
  /** What holds without the flag, as it would be written; empty: nothing. */
  readonly default: string;
  readonly help: string;
  /** The values it takes, where these are few. */
  readonly oneOf?: readonly string[];
}
