/** What a container does now, as its status says it. Times are milliseconds. */
export type State =
  | { readonly type: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly type: 'running'; readonly startedAt: number }
  | {
      readonly type: 'terminated';
      readonly exitCode: number;
      readonly signal?: number;
      readonly reason: string;
      readonly message?: string;
      readonly startedAt: number;
      readonly finishedAt: number;
    };

export type Terminated = Extract<State, { type: 'terminated' }>;
