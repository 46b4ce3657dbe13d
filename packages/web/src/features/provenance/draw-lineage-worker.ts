import { expose } from "comlink";
import { drawLineage } from "./draw-lineage.ts";

expose(drawLineage);
