import { readdirSync, readFileSync } from 'node:fs';
import type { ContainerUsage } from '../container-runtime.ts';

/** Ticks a second and bytes of a page, as Linux has them on every machine that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/**
 * What the processes of a group (all that a container has started) use, and have used so far. Undefined where the system
 * does not tell by /proc.
 */
export function usageOf(group: number): Omit<ContainerUsage, 'name'> | undefined {
  if (process.platform !== 'linux') return undefined;
  const members = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(pid) ?? [])
    .filter((stat) => stat.group === group);
  const ticks = members.reduce((sum, each) => sum + each.ticks, 0);
  const pages = members.reduce((sum, each) => sum + each.pages, 0);
  return { cpuSeconds: ticks / ticksPerSecond, memoryBytes: pages * pageBytes };
}

/** Undefined for a process that has just ended. */
function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may have anything in it; what counts stands behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const number = (position: number) => Number(fields[position]);
    return { group: number(2), ticks: number(11) + number(12), pages: number(21) };
  } catch {
    return undefined;
  }
}
