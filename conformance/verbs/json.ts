// biome-ignore lint/suspicious/noExplicitAny: what a judged server answers can be anything
export type Json = any;
