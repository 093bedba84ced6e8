import { networkInterfaces } from 'node:os';

/** The address of this machine that others reach; where it has none, what stands in slices of names alone. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}

/** Another address of this machine of the same kind; undefined where it has one alone. */
export function otherAddress(address: string): string | undefined {
  if (address === '127.0.0.1') return '127.0.0.2';
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const usable = all.filter((one) => !one.internal && one.address !== address && !one.address.startsWith('fe80'));
  return usable.find((one) => one.address.includes(':') === address.includes(':'))?.address;
}
