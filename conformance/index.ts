export type { Capability } from './capability.ts';
export { expect } from './expect.ts';
export { type ProfileName, profileNames } from './profiles.ts';
export type { RunReport } from './report/summary.ts';
export type { RuleResult } from './result.ts';
export { defineRule, type Level, type Rule, type Verdict } from './rule.ts';
export { type ConformanceOptions, runConformance } from './run-conformance.ts';
