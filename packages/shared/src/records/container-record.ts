/** Programs that can run a job's command in a container. */
export const CONTAINER_KINDS = ["docker", "podman", "apptainer", "singularity"] as const;
export type ContainerKind = (typeof CONTAINER_KINDS)[number];

/** The systems that can run a job's container: an engine on this machine, or a TES server. */
export const CONTAINER_PLACES = [...CONTAINER_KINDS, "tes"] as const;
export type ContainerPlace = (typeof CONTAINER_PLACES)[number];

/**
 * The container engine that a server or a command-line run uses; `auto` selects the first that works, `none` ignores
 * containers.
 */
export const CONTAINER_SETTINGS = ["auto", ...CONTAINER_KINDS, "none"] as const;
export type ContainerSetting = (typeof CONTAINER_SETTINGS)[number];
