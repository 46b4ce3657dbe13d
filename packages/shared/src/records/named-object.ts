import { z } from "zod";

/** The schema of an object that the generated documents list under `id`. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

/** Like `namedObject`, for bodies of requests: refuses unknown fields. */
export function namedStrictObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id });
}
