/** The same members, those that may be undefined as ones that may be missing. */
export type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** Without members that are undefined. */
export const compact = <T extends object>(object: T): Compact<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Compact<T>;
