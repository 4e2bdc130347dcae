-- Run by the Postgres image when its volume is new: the schema registry keeps its own database.
create database registry;
