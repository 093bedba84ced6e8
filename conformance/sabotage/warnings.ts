import type { Sabotage } from './sabotage.ts';
import { sabotage } from './transforms.ts';

/** Warnings are cut to so many characters, whether there are few of them or many. */
export const cutsWarnings = (most: number): Sabotage =>
  sabotage(`cuts each warning to ${most} characters`, () => ({
    answer: (answer) => {
      const { warning, ...headers } = answer.headers;
      if (warning === undefined) return answer;
      const cut = [warning]
        .flat()
        .map((text) => text.replace(/"(.*)"/, (_, said: string) => `"${said.slice(0, most)}"`));
      return { ...answer, headers: { ...headers, warning: cut } };
    },
  }));
