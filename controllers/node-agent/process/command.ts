import { type Environment, expand } from './environment.ts';
import type { Container } from './fields.ts';
import { type Mounts, placedIn } from './mounts.ts';

/** What images mean on this machine: commands by image name. */
export type Images = ReadonlyMap<string, string>;

/** @param given `name=command` each @throws Error for others */
export function readImages(given: readonly string[]): Images {
  return new Map(
    given.map((each) => {
      const [, name, command] = /^([^=]+)=(.+)$/.exec(each) ?? [];
      if (!name || !command) throw new Error(`--image takes name=command, not ${JSON.stringify(each)}`);
      return [name, command];
    }),
  );
}

/** The command that an image means: under its whole name, without tag and digest, or under the last part of that. */
export function commandOf(image: string, images: Images): string | undefined {
  const plain = image.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
  return images.get(image) ?? images.get(plain) ?? images.get(plain.split('/').at(-1) ?? '');
}

/**
 * What is run for a container: its own command, else what its image means, and its arguments. Undefined when nobody says.
 * Paths under which volumes are mounted are put where these are.
 */
export function argumentsOf(
  container: Container,
  images: Images,
  environment: Environment,
  mounts: Mounts,
): readonly string[] | undefined {
  const { command = [], args = [], image = '' } = container;
  const meant = command.length > 0 ? undefined : commandOf(image, images);
  if (command.length === 0 && meant === undefined) return undefined;
  const given = [...command, ...args].map((each) => placedIn(mounts, expand(each, environment)));
  return meant === undefined ? given : [meant, ...given];
}
