import { ok } from 'node:assert/strict';

export const megabytes = (bytes: number, limit: number): string => {
  ok(bytes < limit * 1e6, `${bytes} bytes are ${limit} MB or more`);
  return `${(bytes / 1e6).toFixed(1)} MB`;
};

export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
